/* Systems whose frameworks lack something, or have it otherwise. What a process has loaded it
 * keeps, so each system has a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engines/ane/device.h"
#include "standin/apple/standins.h"
#include "unit/engines_test.h"

/* What the engine ane says of itself; empty unless it is not ready and the cpu is. */
static void describe(char *to, size_t room)
{
    yoke_context *context;
    const yoke_engine_info *ane = NULL;
    bool cpu = false;
    to[0] = '\0';
    if (yoke_context_create(NULL, &context, NULL) != YOKE_OK)
        return;
    for (size_t i = 0; i < yoke_context_engine_count(context); i++) {
        const yoke_engine_info *info = yoke_context_engine_info(context, i);
        if (strcmp(info->name, "ane") == 0)
            ane = info;
        cpu |= strcmp(info->name, "cpu") == 0 && info->ready;
    }
    if (ane && !ane->ready && cpu)
        snprintf(to, room, "%s", ane->reason);
    yoke_context_free(context);
}

static void check_says(const char *folder, const char *words)
{
    yoke_error said = {0};
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        setenv("YOKE_APPLE_STANDINS", folder, 1);
        describe(said.text, sizeof said.text);
        _exit(write(ends[1], said.text, sizeof said.text) != sizeof said.text);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], said.text, sizeof said.text), sizeof said.text);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_says(&said, words);
    assert_null(strchr(said.text, '\n'));
}

static void a_missing_class_is_named(void **state)
{
    (void)state;
    check_says(LACKING "/lacks_class", "class _ANERequest");
}

static void a_missing_method_is_named(void **state)
{
    (void)state;
    check_says(LACKING "/lacks_method",
               "class _ANEInMemoryModel lacks evaluateWithQoS:options:request:error:");
}

static void a_method_of_other_types_is_named(void **state)
{
    (void)state;
    check_says(LACKING "/other_types", "compileWithQoS:options:error:");
}

static void a_missing_framework_is_named(void **state)
{
    (void)state;
    check_says(LACKING "/no_framework", "framework AppleNeuralEngine");
    check_says("/nonexistent", "framework Foundation");
}

static void another_system_is_the_reason(void **state)
{
    (void)state;
    check_says("", "needs macOS on Apple silicon");
}

/* sysctl.proc_translated, as a Mac has it, is *arg. */
static bool tell_translated(const void *arg, const char *name, void *value, size_t *bytes)
{
    if (strcmp(name, "sysctl.proc_translated") != 0 || *bytes < sizeof(int32_t))
        return false;
    memcpy(value, arg, sizeof(int32_t));
    *bytes = sizeof(int32_t);
    return true;
}

static void a_process_under_rosetta_is_the_reason(void **state)
{
    (void)state;
    const int32_t translated = 1, native = 0;
    const darwin rosetta = {tell_translated, &translated}, arm64 = {tell_translated, &native};
    ane_framework f;
    ane_device device;
    yoke_error err = {0};
    assert_ok(ane_device_find(&arm64, &f, &device, &err), &err);
    assert_int_equal(ane_device_find(&rosetta, &f, &device, &err), YOKE_ERR_UNSUPPORTED);
    assert_says(&err, "Rosetta");
    assert_null(strchr(err.text, '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_class_is_named),
        cmocka_unit_test(a_missing_method_is_named),
        cmocka_unit_test(a_method_of_other_types_is_named),
        cmocka_unit_test(a_missing_framework_is_named),
        cmocka_unit_test(another_system_is_the_reason),
        cmocka_unit_test(a_process_under_rosetta_is_the_reason), /* its frameworks stay loaded */
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
