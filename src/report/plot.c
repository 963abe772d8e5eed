#include "report/plot.h"

#include <math.h>

#include "report/html.h"

static void put_axis(FILE *out, const char *name, plot_axis axis)
{
    static const char *const scales[] = {
        [PLOT_LINEAR] = "linear", [PLOT_LOG2] = "log2", [PLOT_LOG10] = "log10"};
    fprintf(out, "\"%s\":{\"label\":", name);
    html_json_text(out, axis.label);
    fprintf(out, ",\"scale\":\"%s\"},", scales[axis.scale]);
}

plot plot_begin(FILE *out, const char *what, plot_axis x, plot_axis y)
{
    fputs("<figure class=\"plot\"><div class=\"canvas\" role=\"img\" aria-label=\"", out);
    html_text(out, what);
    fputs("\"></div><script type=\"application/json\">{", out);
    put_axis(out, "x", x);
    put_axis(out, "y", y);
    fputs("\"series\":[", out);
    return (plot){.out = out};
}

void plot_series(plot *p, const char *name, size_t subject, plot_style style)
{
    static const char *const styles[] = {[PLOT_POINTS] = "points",
                                         [PLOT_LINE] = "line",
                                         [PLOT_DASHED] = "dashed",
                                         [PLOT_BOTH] = "both"};
    fputs(p->series++ > 0 ? "]},\n{\"name\":" : "\n{\"name\":", p->out);
    html_json_text(p->out, name);
    fprintf(p->out, ",\"subject\":%zu,\"style\":\"%s\",\"points\":[", subject, styles[style]);
    p->points = 0;
}

void plot_point(plot *p, double x, double y)
{
    if (isfinite(x) && isfinite(y))
        fprintf(p->out, "%s[%.9g,%.9g]", p->points++ > 0 ? "," : "", x, y);
}

void plot_end(plot *p, const char *caption)
{
    fputs(p->series > 0 ? "]}]}</script><figcaption>" : "]}</script><figcaption>", p->out);
    html_text(p->out, caption);
    fputs("</figcaption></figure>\n", p->out);
}
