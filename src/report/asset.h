/* What the page carries along, as text. */
#ifndef REPORT_ASSET_H
#define REPORT_ASSET_H

extern const char asset_page_css[];
extern const char asset_page_js[];
extern const char asset_uplot_css[];
extern const char asset_uplot_js[];
extern const char asset_uplot_licence[];

#endif
