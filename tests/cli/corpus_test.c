/* Every odd or malformed file of the corpus through `yoke inspect`, against its manifest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

#define CORPUS YOKE_TEST_SHARED "/corpus/"

static bool is_refusal(const program *p)
{
    return p->exit_code == 2 && p->out[0] == '\0' && text_lines(p->err) == 1 &&
           strncmp(p->err, "yoke: ", 6) == 0;
}

static bool is_listing(const program *p)
{
    return p->exit_code == 0 && p->err[0] == '\0' && p->out[0] != '\0';
}

/* The set's message names the part that is missing, not the file that was opened. */
static bool names_file(const program *p, const char *file)
{
    const char *name = strrchr(file, '/') + 1;
    char stem[64];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "-"), name);
    return text_has(p->err, stem);
}

static bool verdict_holds(const program *p, const char *file, const char *expected)
{
    if (strncmp(expected, "ok", 2) == 0 && !strstr(expected, "reject"))
        return is_listing(p);
    if (strcmp(expected, "reject") == 0 || strcmp(expected, "reject-set") == 0)
        return is_refusal(p) && names_file(p, file);
    return is_listing(p) || (is_refusal(p) && names_file(p, file));
}

static void every_file_of_the_corpus_gets_its_verdict(void **state)
{
    (void)state;
    FILE *manifest = fopen(CORPUS "manifest.tsv", "r");
    if (!manifest) {
        print_message("no corpus at " CORPUS "\n");
        skip();
    }
    char line[1024];
    size_t checked = 0, wrong = 0;
    assert_non_null(fgets(line, sizeof line, manifest)); /* the headings */
    while (fgets(line, sizeof line, manifest)) {
        char *rest = line, path[512];
        const char *file = strsep(&rest, "\t"), *expected = strsep(&rest, "\t");
        assert_non_null(expected);
        snprintf(path, sizeof path, CORPUS "%s", file);
        program p = program_run("inspect", path);
        bool holds = verdict_holds(&p, file, expected);
        if (!holds)
            print_error("%s, expected %s: exit %d, signal %d, %s\n", file, expected, p.exit_code,
                        p.signal, p.err);
        wrong += !holds;
        checked++;
        program_free(&p);
    }
    fclose(manifest);
    assert_int_equal(wrong, 0);
    assert_true(checked > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_the_corpus_gets_its_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
