#include "split/holding.h"

#include <stdlib.h>

#include "split/plan.h"

bool holding_covers(const holding *h, size_t granule, size_t begin, size_t count)
{
    if (begin < h->begin || begin > h->end || count > h->end - begin)
        return false;
    return (begin - h->begin) % granule == 0 && (count % granule == 0 || begin + count == h->end);
}

holding *holding_find(const party *p, size_t begin, size_t count)
{
    for (holding *h = p->holdings; h; h = h->next)
        if (holding_covers(h, p->info->facts.granule_n, begin, count))
            return h;
    return NULL;
}

const holding *holding_widest(const party *p)
{
    const holding *widest = p->holdings;
    for (const holding *h = widest; h; h = h->next)
        if (h->end - h->begin > widest->end - widest->begin)
            widest = h;
    return widest;
}

yoke_status holding_prepare(party *p, const yoke_matrix *w, size_t begin, size_t end,
                            holding **made, yoke_error *err)
{
    const yoke_matrix rows = yoke_matrix_rows(w, begin, end - begin);
    holding *h = calloc(1, sizeof *h);
    if (!h)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "preparing a window: out of memory");
    yoke_prepare_report report = {0};
    yoke_status status = yoke_weight_prepare(p->engine, &rows, &h->weight, &report, err);
    if (status != YOKE_OK) {
        free(h);
        return status;
    }
    h->begin = begin;
    h->end = end;
    h->bytes = report.prepared_bytes;
    h->next = p->holdings;
    p->holdings = h;
    *made = h;
    return YOKE_OK;
}

void holding_free_unused(party *p, bool all)
{
    for (holding **at = &p->holdings; *at;) {
        holding *h = *at;
        if (h->users > 0 && !all) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        yoke_weight_free(h->weight);
        free(h);
    }
}
