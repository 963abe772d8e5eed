/* Plots: what to draw, as data that the page's script finds beside each figure. Without scripts a
 * figure is not shown; its table is. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum plot_scale { PLOT_LINEAR, PLOT_LOG2, PLOT_LOG10 } plot_scale;
typedef enum plot_style { PLOT_POINTS, PLOT_LINE, PLOT_DASHED, PLOT_BOTH } plot_style;

typedef struct plot_axis {
    const char *label;
    plot_scale scale;
} plot_axis;

/* One plot at a time: begin, series with their points, end. */
typedef struct plot {
    FILE *out;
    size_t series, points; /* so far; points of the series at hand */
} plot;

plot plot_begin(FILE *out, const char *what, plot_axis x, plot_axis y);

/* Series of one `subject` share a colour; subjects count from 0. */
void plot_series(plot *p, const char *name, size_t subject, plot_style style);
void plot_point(plot *p, double x, double y); /* one that is not finite is left out */
void plot_end(plot *p, const char *caption);

#endif
