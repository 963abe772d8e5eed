#include "service.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../foundation/control.h"
#include "control.h"

#define DOMAIN   "com.apple.appleneuralengine"
#define LOADED   "loaded program"
#define COMPILES 119 /* of a process, then no more */
#define PROGRAMS 128 /* loaded at once */

static unsigned long long compiles; /* by this process */
static bool compiler_is_upset;      /* by a failure in this process */

unsigned long long standin_ane_compiles(void)
{
    return __atomic_load_n(&compiles, __ATOMIC_RELAXED);
}

bool service_fail(NSError **error, NSInteger code, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (error)
        *error = standin_error(DOMAIN, code, "%s", text);
    return false;
}

static bool compiler_fails(NSError **error, NSInteger code, const char *text, const char *why)
{
    compiler_is_upset = true;
    if (error)
        *error = standin_error(DOMAIN ".compiler", code, "%s (stand-in: %s)", text, why);
    return false;
}

static NSString *cached(NSString *name)
{
    const char *folder = getenv("YOKE_STANDIN_CACHE");
    if (!folder)
        folder = "/tmp/yoke-standin-aned";
    mkdir(folder, 0700);
    return standin_string("%s/%s.model.hwx", folder, [name UTF8String]);
}

/* A mark of the process that compiled it. */
static NSString *mark_of(NSString *name)
{
    return standin_string("%s.by-%ld", [cached(name) UTF8String], (long)getpid());
}

static void mark(NSString *name)
{
    FILE *made = fopen([mark_of(name) UTF8String], "w");
    if (!made || fclose(made) != 0)
        abort();
}

static bool is_withheld(NSString *name)
{
    return access([mark_of(name) UTF8String], R_OK) != 0 &&
           (standin_switch("others_are_hidden") || standin_switch("others_do_not_load"));
}

bool service_has_compiled(NSString *name)
{
    return access([cached(name) UTF8String], R_OK) == 0 &&
           !(standin_switch("others_are_hidden") && is_withheld(name));
}

void service_purge(NSString *name)
{
    remove([cached(name) UTF8String]);
}

/* As often as the switch says, since the switches were changed. */
static bool happens(const char *name, unsigned *generation, unsigned long long *times)
{
    if (*generation != standin_generation())
        *times = 0;
    *generation = standin_generation();
    return (*times)++ < standin_number(name, 0);
}

/* What happens to a compilation whatever the program is. */
static bool compiler_is_willing(NSError **error)
{
    static const char failed[] = "_ANECompiler : ANECCompile() FAILED";
    if (standin_switch("no_entitlement"))
        return service_fail(error, ANE_ENTITLEMENT, "entitlement error");
    if (standin_switch("vm"))
        return service_fail(error, ANE_HOST_TOO_OLD, "host too old");
    if (standin_switch("compile_error"))
        return service_fail(error, (NSInteger)standin_number("compile_error", 0), "by a switch");
    static unsigned generation;
    static unsigned long long vanished;
    if (happens("files_vanish", &generation, &vanished))
        return service_fail(error, ANE_FILE_NOT_FOUND, "file not found: by a switch");
    while (standin_switch("compile_hangs"))
        pause();
    if (standin_switch("compile_is_killed"))
        raise(SIGKILL);
    if (__atomic_add_fetch(&compiles, 1, __ATOMIC_RELAXED) > standin_number("compiles", COMPILES))
        return compiler_fails(error, ANE_PROGRAM_CREATION, failed, "too many in this process");
    if (standin_switch("compile_fails"))
        return compiler_fails(error, ANE_PROGRAM_CREATION, failed, "by a switch");
    if (compiler_is_upset && standin_switch("failure_contaminates"))
        return compiler_fails(error, ANE_PROGRAM_CREATION, failed, "as before in this process");
    return true;
}

static bool report(program_fault fault, const char *why, NSError **error)
{
    switch (fault) {
    case PROGRAM_FINE: return true;
    case PROGRAM_NO_FILE: return service_fail(error, ANE_FILE_NOT_FOUND, "file not found: %s", why);
    case PROGRAM_INVALID_MIL:
        return compiler_fails(error, ANE_INVALID_MODEL, "InvalidMILProgram", why);
    default:
        return compiler_fails(error, ANE_PROGRAM_CREATION, "_ANECompiler : ANECCompile() FAILED",
                              why);
    }
}

/* For tests that look at what was compiled: the folder, under another name. */
static void keep(NSString *folder)
{
    char to[256], command[1024];
    if (!standin_word("keep", to, sizeof to))
        return;
    snprintf(command, sizeof command, "cp -R '%s' '%s'", [folder UTF8String], to);
    if (system(command) != 0)
        abort();
}

bool service_compile(NSString *name, NSString *folder, NSError **error)
{
    char why[512] = "";
    image files = {0}, kept = {0};
    if (!compiler_is_willing(error))
        return false;
    keep(folder);
    program_fault fault = program_gather([folder UTF8String], &files, why, sizeof why);
    if (fault != PROGRAM_FINE)
        return report(fault, why, error);
    program *checked = calloc(1, sizeof *checked);
    if (!checked)
        abort();
    fault = program_load(&files, checked);
    bool done = report(fault, checked->why, error);
    kept = checked->files;
    if (done && !image_write(&kept, [cached(name) UTF8String]))
        done = service_fail(error, ANE_FILE_ACCESS, "file access error");
    if (done)
        mark(name);
    program_free(checked);
    free(checked);
    return done;
}

static bool load_fails(void)
{
    static unsigned generation;
    static unsigned long long loads;
    return happens("load_fails", &generation, &loads);
}

program *service_load(NSString *name, NSError **error)
{
    image files;
    if (standin_live_objects(LOADED) >= standin_number("programs", PROGRAMS) || load_fails() ||
        is_withheld(name) || !image_read([cached(name) UTF8String], &files)) {
        service_fail(error, ANE_PROGRAM_LOAD, "Program load error");
        return NULL;
    }
    program *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        abort();
    if (!report(program_load(&files, loaded), loaded->why, error)) {
        program_free(loaded);
        free(loaded);
        return NULL;
    }
    standin_count(LOADED, 1);
    return loaded;
}

void service_unload(program *loaded)
{
    standin_count(LOADED, -1);
    program_free(loaded);
    free(loaded);
}
