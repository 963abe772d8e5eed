#include "chips_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

yoke_status chips_open_bytes(const char *bytes, size_t size, bool as_facts, yoke_chips **chips,
                             yoke_error *err)
{
    char path[] = "/tmp/yoke-chips-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    close(file);
    yoke_status status =
        yoke_chips_open(as_facts ? NULL : path, as_facts ? path : NULL, chips, err);
    unlink(path);
    return status;
}

yoke_chips *chips_of(const char *text)
{
    yoke_chips *chips = NULL;
    yoke_error err = {0};
    yoke_status status = chips_open_bytes(text, strlen(text), false, &chips, &err);
    if (status != YOKE_OK)
        print_error("%s\n", err.text);
    assert_int_equal(status, YOKE_OK);
    return chips;
}

const yoke_chip_finding *find(const yoke_chip_audit *audit, const char *rule, size_t row,
                              const char *part)
{
    const yoke_chip_finding *f;
    for (size_t i = 0; (f = yoke_chip_audit_finding(audit, i)); i++)
        if (strcmp(f->rule, rule) == 0 && f->row == row && strstr(f->text, part))
            return f;
    return NULL;
}
