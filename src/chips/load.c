/* Tables from files or from the program itself. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips/builtin.h"
#include "chips/chips.h"
#include "chips/rows.h"
#include "chips/value.h"

#define LARGEST_FILE ((size_t)16 << 20) /* far beyond any table; keeps a mistaken path cheap */

#define AT(type, field) offsetof(type, field)

// clang-format off
static const rows_column measurement_columns[] = {
    {{"chip"},                              ROWS_CHIP, AT(yoke_chip_measurement, chip), true},
    {{"artefact", "model_artifact", "artifact"}, ROWS_NAME, AT(yoke_chip_measurement, artefact), true},
    {{"latency_ms"},                      ROWS_NUMBER, AT(yoke_chip_measurement, milliseconds), true},
    {{"gbps"},                            ROWS_NUMBER, AT(yoke_chip_measurement, gbps), true},
    {{"artefact_mb", "artifact_mb", "size_mb"}, ROWS_NUMBER, AT(yoke_chip_measurement, megabytes), false},
    {{"mode"},                              ROWS_MODE, AT(yoke_chip_measurement, mode), false},
    {{"method"},                            ROWS_TEXT, AT(yoke_chip_measurement, method), false},
    {{"engine"},                            ROWS_TEXT, AT(yoke_chip_measurement, engine), false},
    {{"variant"},                           ROWS_TEXT, AT(yoke_chip_measurement, variant), false},
    {{"ram_gb"},                          ROWS_NUMBER, AT(yoke_chip_measurement, ram_gb), false},
    {{"system_gbps", "system_bw_gbps"},   ROWS_NUMBER, AT(yoke_chip_measurement, system_gbps), false},
    {{"fixed_ms"},                        ROWS_NUMBER, AT(yoke_chip_measurement, fixed_ms), false},
    {{"factor"},                          ROWS_NUMBER, AT(yoke_chip_measurement, factor), false},
    {{"baseline"},                          ROWS_TEXT, AT(yoke_chip_measurement, baseline), false},
    {{"utilisation_percent", "utilization_percent"}, ROWS_NUMBER, AT(yoke_chip_measurement, utilisation), false},
    {{"index_bits"},                      ROWS_NUMBER, AT(yoke_chip_measurement, index_bits), false},
    {{"table_mb"},                        ROWS_NUMBER, AT(yoke_chip_measurement, table_mb), false},
    {{"runs"},                              ROWS_RUNS, AT(yoke_chip_measurement, runs), false},
    {{"warmup"},                            ROWS_RUNS, AT(yoke_chip_measurement, warmup), false},
    {{"os"},                                ROWS_TEXT, AT(yoke_chip_measurement, os), false},
    {{"source", "source_path"},             ROWS_TEXT, AT(yoke_chip_measurement, source), false},
    {{"provenance"},                  ROWS_PROVENANCE, AT(yoke_chip_measurement, provenance), false},
    {{"doubt"},                             ROWS_TEXT, AT(yoke_chip_measurement, doubt), false},
    {{"note"},                              ROWS_TEXT, AT(yoke_chip_measurement, note), false},
};

static const rows_column fact_columns[] = {
    {{"chip"},             ROWS_NAME, AT(yoke_chip_fact, chip), true},
    {{"fact"},             ROWS_NAME, AT(yoke_chip_fact, fact), true},
    {{"value"},            ROWS_NAME, AT(yoke_chip_fact, text), true},
    {{"source"},           ROWS_NAME, AT(yoke_chip_fact, source), true},
    {{"provenance"}, ROWS_PROVENANCE, AT(yoke_chip_fact, provenance), false},
    {{"note"},             ROWS_TEXT, AT(yoke_chip_fact, note), false},
};

static const rows_column statement_columns[] = {
    {{"topic"},      ROWS_NAME, AT(yoke_chip_statement, topic), true},
    {{"who"},        ROWS_NAME, AT(yoke_chip_statement, who), true},
    {{"says"},       ROWS_NAME, AT(yoke_chip_statement, says), true},
    {{"figure"},     ROWS_NAME, AT(yoke_chip_statement, figure), true},
    {{"chip"},       ROWS_TEXT, AT(yoke_chip_statement, chip), true},
    {{"artefact"},   ROWS_TEXT, AT(yoke_chip_statement, artefact), true},
    {{"least"},    ROWS_NUMBER, AT(yoke_chip_statement, least), true},
    {{"most"},     ROWS_NUMBER, AT(yoke_chip_statement, most), true},
    {{"source"},     ROWS_NAME, AT(yoke_chip_statement, source), true},
};
// clang-format on

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The whole of a stream and a NUL behind it. */
static yoke_status read_stream(FILE *stream, const char *path, char **text, size_t *size,
                               yoke_error *err)
{
    size_t room = 0;
    *size = 0;
    do {
        size_t larger = room == 0 ? 1 << 16 : room * 2;
        char *moved = realloc(*text, larger + 1);
        if (!moved)
            return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory to read it", path);
        *text = moved;
        room = larger;
        *size += fread(*text + *size, 1, room - *size, stream);
    } while (*size == room && room < LARGEST_FILE);
    if (ferror(stream))
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    if (*size == room)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: too large for a table", path);
    (*text)[*size] = '\0';
    return YOKE_OK;
}

static yoke_status read_path(const char *path, char **text, size_t *size, yoke_error *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    yoke_status status = read_stream(stream, path, text, size, err);
    fclose(stream);
    return status;
}

/* The parser writes into its text. */
static yoke_status copy_builtin(const chips_builtin *table, char **text, size_t *size,
                                yoke_error *err)
{
    *text = malloc(table->size + 1);
    if (!*text)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory to read it", table->name);
    memcpy(*text, table->text, table->size + 1);
    *size = table->size;
    return YOKE_OK;
}

static yoke_status load_table(const char *path, const chips_builtin *builtin, chips_table *table,
                              yoke_error *err)
{
    size_t size = 0;
    yoke_status status = path ? read_path(path, &table->text, &size, err)
                              : copy_builtin(builtin, &table->text, &size, err);
    if (status != YOKE_OK)
        return status;
    return csv_parse(path ? path : builtin->name, table->text, size, &table->fields, err);
}

static yoke_status load_measurements(yoke_chips *chips, const char *path, yoke_error *err)
{
    void *rows = NULL;
    yoke_status status = load_table(path, &chips_builtin_measurements, &chips->tables[0], err);
    if (status == YOKE_OK)
        status =
            rows_read(&chips->tables[0].fields, measurement_columns, COUNT(measurement_columns),
                      sizeof(yoke_chip_measurement), &rows, &chips->measurement_count, err);
    chips->measurements = rows;
    return status;
}

static bool is_number_fact(const char *fact)
{
    return strcmp(fact, "ane_architecture") != 0;
}

static yoke_status read_fact_numbers(yoke_chips *chips, yoke_error *err)
{
    const csv *fields = &chips->tables[1].fields;
    for (size_t i = 0; i < chips->fact_count; i++) {
        yoke_chip_fact *fact = &chips->facts[i];
        yoke_chip_number number;
        bool ok = value_number(is_number_fact(fact->fact) ? fact->text : "", &number);
        if (!ok || number.value <= 0)
            return csv_refuse(fields, i + 1, csv_column(fields, "value"), err,
                              "'%.40s' is not a plain number above 0", fact->text);
        fact->number = number.value;
    }
    return YOKE_OK;
}

static yoke_status load_facts(yoke_chips *chips, const char *path, yoke_error *err)
{
    void *rows = NULL;
    yoke_status status = load_table(path, &chips_builtin_facts, &chips->tables[1], err);
    if (status == YOKE_OK)
        status = rows_read(&chips->tables[1].fields, fact_columns, COUNT(fact_columns),
                           sizeof(yoke_chip_fact), &rows, &chips->fact_count, err);
    chips->facts = rows;
    return status == YOKE_OK ? read_fact_numbers(chips, err) : status;
}

static yoke_status load_statements(yoke_chips *chips, yoke_error *err)
{
    void *rows = NULL;
    yoke_status status = load_table(NULL, &chips_builtin_statements, &chips->tables[2], err);
    if (status == YOKE_OK)
        status = rows_read(&chips->tables[2].fields, statement_columns, COUNT(statement_columns),
                           sizeof(yoke_chip_statement), &rows, &chips->statement_count, err);
    chips->statements = rows;
    return status;
}

yoke_status yoke_chips_open(const char *measurements, const char *facts, yoke_chips **chips,
                            yoke_error *err)
{
    yoke_chips *opened = calloc(1, sizeof *opened);
    if (!opened)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the table of chips");
    yoke_status status = load_measurements(opened, measurements, err);
    if (status == YOKE_OK)
        status = load_facts(opened, facts, err);
    if (status == YOKE_OK)
        status = load_statements(opened, err);
    if (status == YOKE_OK)
        *chips = opened;
    else
        yoke_chips_free(opened);
    return status;
}

void yoke_chips_free(yoke_chips *chips)
{
    if (!chips)
        return;
    for (size_t i = 0; i < COUNT(chips->tables); i++) {
        csv_free(&chips->tables[i].fields);
        free(chips->tables[i].text);
    }
    free(chips->measurements);
    free(chips->facts);
    free(chips->statements);
    free(chips);
}
