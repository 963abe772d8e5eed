/* The daemon and the compiler service behind the framework. Compiled programs are kept on disk, in
 * the folder YOKE_STANDIN_CACHE, and so outlive the process. */
#ifndef STANDIN_ANE_SERVICE_H
#define STANDIN_ANE_SERVICE_H

#include "ane.h"

/* The codes of the framework's errors. */
enum {
    ANE_ENTITLEMENT = 1,
    ANE_TIMEOUT = 3,
    ANE_PROGRAM_CREATION = 4,
    ANE_PROGRAM_LOAD = 6,
    ANE_PROGRAM_INFERENCE = 8,
    ANE_FILE_ACCESS = 9,
    ANE_INVALID_MODEL = 10,
    ANE_SURFACE_MAP = 13,
    ANE_FILE_NOT_FOUND = 16,
    ANE_HOST_TOO_OLD = 22,
    ANE_PROGRAM_NOT_FOUND = 23
};

/* Stores an error of the framework's own domain; false. */
bool service_fail(NSError **error, NSInteger code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Compiles what stands in the folder, and keeps it under that name. */
bool service_compile(NSString *name, NSString *folder, NSError **error);
bool service_has_compiled(NSString *name);
void service_purge(NSString *name);

/* NULL when it is not there or may not be loaded. */
program *service_load(NSString *name, NSError **error);
void service_unload(program *loaded);

/* evaluate.m */
bool service_check(program *loaded, _ANERequest *request, NSError **error);
bool service_evaluate(program *loaded, _ANERequest *request, NSError **error);

/* attributes.m: what the framework says of a loaded program. */
NSDictionary *service_attributes(const program *loaded);

/* The names of all inputs (outputs) in the order of their indices. */
NSArray *service_symbols(const program *loaded, bool outputs);

/* The index of a procedure's symbol among them. */
size_t service_symbol(const program *loaded, const procedure *of, size_t port, bool outputs);

/* The index of a procedure, and the other way round (NULL: there is none). */
size_t service_index(const program *loaded, const procedure *of);
const procedure *service_procedure(const program *loaded, size_t index);

#endif
