#include "chips_known.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int plain(char c)
{
    return c == '_' || c == ' ' ? '-' : tolower((unsigned char)c);
}

bool chips_same_word(const char *a, const char *b)
{
    while (*a && plain(*a) == plain(*b)) {
        a++;
        b++;
    }
    return plain(*a) == plain(*b);
}

void chips_print_facts(const yoke_chips *chips, const char *chip)
{
    const yoke_chip_fact *fact;
    printf("\nWhat is known of %s\n", chip);
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++) {
        if (!chips_same_word(fact->chip, chip))
            continue;
        printf("  %-17s %-6s %s, %s", fact->fact, fact->text, fact->provenance, fact->source);
        printf(*fact->note ? " (%s)\n" : "%s\n", fact->note);
    }
}

static void print_statement(const yoke_chips *chips, const yoke_chip_statement *s)
{
    static const char *const verdicts[] = {[YOKE_CHIP_UNDECIDED] = "undecided",
                                           [YOKE_CHIP_SUPPORTED] = "supported",
                                           [YOKE_CHIP_CONTRADICTED] = "contradicted"};
    double figure;
    yoke_chip_verdict verdict = yoke_chips_weigh(chips, s, &figure);
    printf("  %-13s %s: %s\n", verdicts[verdict], s->who, s->says);
    printf("  %-13s %s", "", s->source);
    if (verdict == YOKE_CHIP_UNDECIDED)
        printf("; the table has no %s of it\n", s->figure);
    else
        printf("; %s is %.4g\n", s->figure, figure);
}

void chips_print_statements(const yoke_chips *chips, const char *chip)
{
    const yoke_chip_statement *s;
    const char *topic = "";
    bool any = false;
    for (size_t i = 0; (s = yoke_chips_statement(chips, i)); i++) {
        if (chip && !chips_same_word(s->chip, chip))
            continue;
        if (!any)
            puts("\nStatements that contradict each other, and what the data says");
        any = true;
        if (strcmp(topic, s->topic) != 0)
            printf("%s\n", s->topic);
        topic = s->topic;
        print_statement(chips, s);
    }
}
