/* yoke chips: what has been published of chips, in tables that compare like with like; and its
 * audit. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips_tables.h"
#include "cli.h"
#include "verb.h"

typedef struct request {
    const char *data, *facts;
    chips_choice choice;
    bool audit;
} request;

static void print_findings(const yoke_chip_audit *audit, size_t rows)
{
    const yoke_chip_finding *f;
    for (size_t i = 0; (f = yoke_chip_audit_finding(audit, i)); i++) {
        printf("%s: ", yoke_chip_severity_name(f->severity));
        if (f->row > 0)
            printf("row %zu: ", f->row);
        printf("%s: %s\n", f->rule, f->text);
    }
    printf("%zu error%s, %zu warnings, %zu notes in %zu rows\n",
           yoke_chip_audit_count(audit, YOKE_CHIP_ERROR),
           yoke_chip_audit_count(audit, YOKE_CHIP_ERROR) == 1 ? "" : "s",
           yoke_chip_audit_count(audit, YOKE_CHIP_WARNING),
           yoke_chip_audit_count(audit, YOKE_CHIP_NOTE), rows);
}

static yoke_status run_audit(const yoke_chips *chips, bool *failed, yoke_error *err)
{
    yoke_chip_audit *audit;
    yoke_status status = yoke_chips_audit(chips, &audit, err);
    if (status != YOKE_OK)
        return status;
    print_findings(audit, yoke_chips_count(chips));
    *failed = yoke_chip_audit_count(audit, YOKE_CHIP_ERROR) > 0;
    yoke_chip_audit_free(audit);
    return YOKE_OK;
}

static int show(const request *what)
{
    yoke_error err = {0};
    yoke_chips *chips = NULL;
    bool failed = false;
    yoke_status status = yoke_chips_open(what->data, what->facts, &chips, &err);
    if (status == YOKE_OK && what->audit)
        status = run_audit(chips, &failed, &err);
    else if (status == YOKE_OK)
        status = chips_print(chips, &what->choice, &err);
    yoke_chips_free(chips);
    if (status != YOKE_OK)
        return cli_fail(&err);
    return failed ? EXIT_FAILED : EXIT_DONE;
}

/* The words behind the options: "audit", and its FILE. */
static int take_words(int argc, char **argv, request *what)
{
    if (optind == argc)
        return CLI_GO_ON;
    if (strcmp(argv[optind], "audit") != 0)
        return cli_usage(argv[0], "does not take '%s'", argv[optind]);
    what->audit = true;
    const chips_choice *choice = &what->choice;
    if (choice->chip || choice->artefact || choice->method)
        return cli_usage(argv[0], "audit looks at every row: no --chip, --artefact or --method");
    if (++optind < argc && what->data)
        return cli_usage(argv[0], "audit takes one FILE, not '%s' too", argv[optind]);
    if (optind < argc)
        what->data = argv[optind++];
    if (optind < argc)
        return cli_usage(argv[0], "audit takes one FILE, not '%s' too", argv[optind]);
    return CLI_GO_ON;
}

enum { CHIP, ARTEFACT, METHOD, DATA, FACTS };

static const verb_option option_table[] = {
    {"chip", CHIP, "C", VALUE_TEXT, NULL, "only this chip, as \"M4 Pro\", and what is known of it"},
    {"artefact", ARTEFACT, "A", VALUE_TEXT, NULL,
     "only what read this artefact; part of a name does"},
    {"method", METHOD, "M", VALUE_TEXT, NULL,
     "only this method, as predict-mean, slope, firmware, counter"},
    {"data", DATA, "FILE", VALUE_FILE, NULL,
     "measurements from a CSV file instead of the built-in ones"},
    {"facts", FACTS, "FILE", VALUE_FILE, NULL, "facts of chips, the same"},
    VERB_END};

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case CHIP: r->choice.chip = value; return true;
    case ARTEFACT: r->choice.artefact = value; return true;
    case METHOD: r->choice.method = value; return true;
    case DATA: r->data = value; return true;
    case FACTS: r->facts = value; return true;
    default: return false;
    }
}

static int run(int argc, char **argv)
{
    request what = {0};
    int code = verb_parse(&chips_verb, argc, argv, take, &what);
    if (code == CLI_GO_ON)
        code = take_words(argc, argv, &what);
    return code == CLI_GO_ON ? show(&what) : code;
}

static const verb_word words[] = {
    {"audit", VALUE_ONE_OF, "audit", NULL}, {"FILE", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {{"chips --chip \"M4 Pro\"", "one chip"},
                                        {"chips audit table.csv", "does a table hold together?"},
                                        {0}};

const verb chips_verb = {
    .name = "chips",
    .summary = "what has been published of chips, and its audit",
    .run = run,
    .usage = {"[--chip C] [--artefact A] [--method M] [--data FILE] [--facts FILE]",
              "audit [FILE] [--facts FILE]"},
    .description = "Shows published measurements of chips. A table never holds two engines, "
                   "artefacts, methods or modes; without a choice, tables of two chips and more "
                   "are shown and the others listed. 'audit' holds the rules of docs/chips.md "
                   "against the measurements in FILE, or the built-in ones.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS "; of 'audit': 0 no errors, 1 errors found, 2 bad input",
};
