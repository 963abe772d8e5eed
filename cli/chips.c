/* yoke chips: what has been published of chips, in tables that compare like with like; and its
 * audit. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips_tables.h"
#include "cli.h"

static const char help_text[] =
    "usage: yoke chips [--chip C] [--artefact A] [--method M] [--data FILE] [--facts FILE]\n"
    "       yoke chips audit [FILE] [--facts FILE]\n"
    "\n"
    "Shows published measurements of chips. A table never holds two engines, artefacts, methods "
    "or\n"
    "modes; without a choice, tables of two chips and more are shown and the others listed.\n"
    "'audit' holds the rules of docs/chips.md against the measurements in FILE, or the built-in "
    "ones.\n"
    "\n"
    "  --chip C          only this chip, as \"M4 Pro\", and what is known of it\n"
    "  --artefact A      only what read this artefact; part of a name does\n"
    "  --method M        only this method, as predict-mean, slope, firmware, counter\n"
    "  --data FILE       measurements from a CSV file instead of the built-in ones\n"
    "  --facts FILE      facts of chips, the same\n"
    "  --help            print this\n"
    "\n"
    "Exit status of 'audit': 0 no errors, 1 errors found, 2 bad input.\n";

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

static int run(const request *what)
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
        return EXIT_DONE;
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
    return EXIT_DONE;
}

int verb_chips(int argc, char **argv)
{
    enum { CHIP = CLI_OPTION_OWN, ARTEFACT, METHOD, DATA, FACTS };
    static const struct option options[] = {{"chip", required_argument, NULL, CHIP},
                                            {"artefact", required_argument, NULL, ARTEFACT},
                                            {"method", required_argument, NULL, METHOD},
                                            {"data", required_argument, NULL, DATA},
                                            {"facts", required_argument, NULL, FACTS},
                                            CLI_HELP_OPTION,
                                            {0}};
    request what = {0};
    int option;
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case CHIP: what.choice.chip = optarg; break;
        case ARTEFACT: what.choice.artefact = optarg; break;
        case METHOD: what.choice.method = optarg; break;
        case DATA: what.data = optarg; break;
        case FACTS: what.facts = optarg; break;
        case CLI_OPTION_HELP: fputs(help_text, stdout); return EXIT_DONE;
        default: return cli_bad_option(argv[0], option, argv);
        }
    }
    int code = take_words(argc, argv, &what);
    return code == EXIT_DONE ? run(&what) : code;
}
