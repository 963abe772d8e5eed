/* One line on stderr that is written over, where somebody looks. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

void progress_show(const char *what);
void progress_end(void);

#endif
