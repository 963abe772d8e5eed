#include "inspect_bundle.h"

#include <stdio.h>

#include "cli.h"
#include "report/number.h"
#include "table.h"

static void add_variables(table *t, const char *what, const yoke_coreml_variable *variables,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_cell(t, "%s", what);
        table_cell(t, "%s", variables[i].name);
        table_cell(t, "%s", variables[i].type);
    }
}

static bool print_variables(const yoke_coreml_function *function, bool wide)
{
    static const table_column columns[] = {
        {"", TABLE_TEXT}, {"name", TABLE_TEXT}, {"type", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    add_variables(t, "input", function->inputs, function->input_count);
    add_variables(t, "output", function->outputs, function->output_count);
    bool ok = table_print(t, stdout, wide ? 0 : CLI_WIDTH);
    table_free(t);
    return ok;
}

static bool print_operations(const yoke_coreml_function *function)
{
    static const table_column columns[] = {{"operation", TABLE_TEXT}, {"count", TABLE_NUMBER}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    for (size_t i = 0; i < function->operation_count; i++) {
        table_cell(t, "%s", function->operations[i].name);
        table_cell(t, "%s", number_count(function->operations[i].count).text);
    }
    bool ok = table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

bool inspect_bundle_print(const yoke_file *file, bool wide)
{
    const yoke_coreml_function *function;
    for (size_t i = 0; (function = yoke_coreml_function_get(file, i)); i++) {
        printf("\nfunction %s, %s\n", function->name, function->opset);
        if (!print_variables(function, wide) || !print_operations(function))
            return false;
    }
    return true;
}
