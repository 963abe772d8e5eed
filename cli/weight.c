#include "weight.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "report/number.h"
#include "yoke/host.h"

bool weight_parse_shape(const char *text, weight_request *request)
{
    char first[24];
    const char *times = strpbrk(text, "xX");
    if (!times || (size_t)(times - text) >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(times - text), text);
    request->has_shape = true;
    return cli_parse_size(first, 1, SIZE_MAX, &request->n) &&
           cli_parse_size(times + 1, 1, SIZE_MAX, &request->k);
}

int weight_take_words(int argc, char **argv, weight_request *request)
{
    const char *verb = argv[0];
    if (argc - optind > 1)
        return cli_usage(verb, "takes one FILE, not '%s' too", argv[optind + 1]);
    request->path = argv[optind];
    if (request->path && request->has_shape)
        return cli_usage(verb, "--shape is for a random weight, not for a file");
    if (request->tensor && !request->path)
        return cli_usage(verb, "--tensor needs a file");
    return CLI_GO_ON;
}

/* A weight and its packed form that memory cannot hold would be ended by the system, without a
 * word. */
static yoke_status refuse_too_large(const char *verb, const weight_request *r,
                                    const yoke_host *host, yoke_error *err)
{
    size_t bytes;
    yoke_format format = r->format == YOKE_FORMAT_NONE ? YOKE_F16 : r->format;
    yoke_status status = yoke_format_bytes(format, r->n, r->k, &bytes, err);
    if (status != YOKE_OK || !host || host->memory_bytes == 0 || bytes <= host->memory_bytes / 2)
        return status;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "%s: a weight of %s and its packed form do not fit %s of memory", verb,
                          number_bytes(bytes).text, number_bytes(host->memory_bytes).text);
}

yoke_status weight_make(const char *verb, const weight_request *request, const yoke_host *host,
                        yoke_artefact **artefact, yoke_error *err)
{
    yoke_artefact_options options = {.format = request->format,
                                     .threads = host ? host->usable_threads : 1,
                                     .stop = &cli_stopped};
    if (request->path)
        return yoke_artefact_open(request->path, request->tensor, &options, artefact, err);
    yoke_status status = refuse_too_large(verb, request, host, err);
    if (status == YOKE_OK)
        status =
            yoke_artefact_random(request->n, request->k, request->seed, &options, artefact, err);
    return status;
}
