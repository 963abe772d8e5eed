/* What tests ask the stand-in for, plain C. A program finds it by dlsym. */
#ifndef STANDIN_ANE_CONTROL_H
#define STANDIN_ANE_CONTROL_H

/* How often this process has had a program compiled. */
unsigned long long standin_ane_compiles(void);

#endif
