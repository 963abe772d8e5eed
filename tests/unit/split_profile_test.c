#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/host_fixture.h"
#include "unit/measure_near.h"
#include "yoke/host.h"
#include "yoke/split.h"

static const yoke_curve_key cpu = {.engine = "cpu:0",
                                   .description = "one core, avx512_bf16",
                                   .format = YOKE_Q4_0,
                                   .k = 4096,
                                   .x_format = YOKE_BF16,
                                   .precision = YOKE_PRECISION_INT8_X};
static const yoke_curve_key gpu = {
    .engine = "opencl:0", .description = "driver 3.0", .format = YOKE_F16, .k = 64};

static yoke_status add(yoke_profile *profile, const yoke_curve_key *key, size_t m, size_t n,
                       double ns)
{
    yoke_curve_point point = {.m = m, .n = n, .median_ns = ns, .mad_ns = ns / 100, .count = 12};
    return yoke_profile_add(profile, key, &point, NULL);
}

static yoke_status contend(yoke_profile *profile, const yoke_curve_key *key, size_t m,
                           const char *other, double slowdown)
{
    return yoke_profile_add_contention(profile, key, m, other, slowdown, NULL);
}

/* Two engines, three points, three slowdowns. */
static yoke_profile *sample_profile(void)
{
    yoke_profile *profile;
    assert_int_equal(yoke_profile_create(&profile, NULL), YOKE_OK);
    assert_int_equal(add(profile, &cpu, 1, 1024, 1000.0 / 3), YOKE_OK);
    assert_int_equal(add(profile, &cpu, 8, 512, 2000), YOKE_OK);
    assert_int_equal(add(profile, &gpu, 1, 1024, 700), YOKE_OK);
    assert_int_equal(contend(profile, &cpu, 8, "opencl:0", 1.5), YOKE_OK);
    assert_int_equal(contend(profile, &cpu, 1, "opencl:0", 1.1), YOKE_OK);
    assert_int_equal(contend(profile, &gpu, 1, "cpu:0", 1.25), YOKE_OK);
    return profile;
}

static bool predicts(const yoke_profile *profile, const yoke_curve_key *key)
{
    double ns;
    return yoke_profile_predict(profile, key, 1, 100, &ns, NULL) == YOKE_OK;
}

static char *path_in(const fixture *f, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s%s", f->root, name);
    return path;
}

static char *read_text(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (const struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

static void assert_is_sample(const yoke_profile *profile)
{
    yoke_curve_key key;
    yoke_curve_point point;
    yoke_contention contention;
    assert_true(yoke_profile_curve_at(profile, 0, &key));
    assert_string_equal(key.engine, "cpu:0");
    assert_string_equal(key.description, "one core, avx512_bf16");
    assert_int_equal(key.format, YOKE_Q4_0);
    assert_int_equal(key.k, 4096);
    assert_int_equal(key.x_format, YOKE_BF16);
    assert_int_equal(key.precision, YOKE_PRECISION_INT8_X);
    assert_true(yoke_profile_point_at(profile, &key, 0, &point));
    assert_int_equal(point.m, 1);
    assert_int_equal(point.n, 1024);
    assert_near(point.median_ns, 1000.0 / 3, 0);
    assert_near(point.mad_ns, 1000.0 / 3 / 100, 0);
    assert_int_equal(point.count, 12);
    assert_true(yoke_profile_point_at(profile, &key, 1, &point));
    assert_int_equal(point.m, 8);
    assert_false(yoke_profile_point_at(profile, &key, 2, &point));
    assert_true(yoke_profile_contention_at(profile, &key, 1, &contention));
    assert_int_equal(contention.m, 8);
    assert_string_equal(contention.other, "opencl:0");
    assert_near(contention.slowdown, 1.5, 0);
    assert_false(yoke_profile_contention_at(profile, &key, 2, &contention));
    assert_true(yoke_profile_curve_at(profile, 1, &key));
    assert_string_equal(key.engine, "opencl:0");
    assert_int_equal(key.x_format, YOKE_F32);
    assert_false(yoke_profile_curve_at(profile, 2, &key));
}

static void saved_profile_reads_back_the_same_in_new_folders(void **state)
{
    (void)state;
    fixture f = fixture_make();
    const char *path = path_in(&f, "/a/b/profile.json");
    yoke_profile *profile = sample_profile(), *read;
    assert_int_equal(yoke_profile_save(profile, path, NULL), YOKE_OK);
    assert_int_equal(yoke_profile_load(path, &read, NULL), YOKE_OK);
    assert_is_sample(profile);
    assert_is_sample(read);
    char *before = strdup(read_text(path));
    assert_int_equal(yoke_profile_save(read, path, NULL), YOKE_OK);
    assert_string_equal(read_text(path), before);
    assert_int_equal(files_in(path_in(&f, "/a/b")), 1);
    free(before);
    yoke_profile_free(read);
    yoke_profile_free(profile);
    fixture_remove(&f);
}

static void without_a_path_it_is_kept_in_the_users_cache_folder(void **state)
{
    (void)state;
    fixture f = fixture_make();
    char path[512], want[512];
    yoke_error err;
    setenv("XDG_CACHE_HOME", f.root, 1);
    assert_int_equal(yoke_profile_default_path(path, sizeof path, NULL), YOKE_OK);
    snprintf(want, sizeof want, "%s/yoke/profile-", f.root);
    assert_memory_equal(path, want, strlen(want));
    assert_string_equal(path + strlen(path) - 5, ".json");
    assert_int_equal(yoke_profile_default_path(want, 20, &err), YOKE_ERR_USAGE);

    yoke_profile *profile = sample_profile(), *read;
    assert_int_equal(yoke_profile_load(NULL, &read, &err), YOKE_ERR_NOT_FOUND);
    assert_int_equal(yoke_profile_save(profile, NULL, NULL), YOKE_OK);
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(yoke_profile_load(NULL, &read, NULL), YOKE_OK);
    assert_is_sample(read);
    yoke_profile_free(read);
    yoke_profile_free(profile);
    fixture_remove(&f);
}

static void home_stands_in_for_a_cache_folder_that_is_not_absolute(void **state)
{
    (void)state;
    char path[512];
    yoke_error err;
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/somewhere", 1);
    assert_int_equal(yoke_profile_default_path(path, sizeof path, NULL), YOKE_OK);
#ifdef __APPLE__
    assert_memory_equal(path, "/somewhere/Library/Caches/yoke/profile-", 39);
#else
    assert_memory_equal(path, "/somewhere/.cache/yoke/profile-", 31);
#endif
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_int_equal(yoke_profile_default_path(path, sizeof path, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "HOME"));
}

static void profile_that_cannot_be_written_leaves_nothing_behind(void **state)
{
    (void)state;
    fixture f = fixture_make();
    fixture_file(&f, "/file", "not a folder\n");
    fixture_file(&f, "/folder/profile.json/in-the-way", "\n");
    yoke_profile *profile = sample_profile();
    yoke_error err;
    assert_int_equal(yoke_profile_save(profile, path_in(&f, "/file/profile.json"), &err),
                     YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "/file"));
    assert_string_equal(read_text(path_in(&f, "/file")), "not a folder\n");
    assert_int_equal(yoke_profile_save(profile, path_in(&f, "/folder/profile.json"), &err),
                     YOKE_ERR_IO);
    assert_int_equal(files_in(path_in(&f, "/folder")), 1);
    yoke_profile_free(profile);
    fixture_remove(&f);
}

static void a_link_to_a_profile_stays_a_link(void **state)
{
    (void)state;
    fixture f = fixture_make();
    char target[512];
    fixture_file(&f, "/target.json", "old\n");
    snprintf(target, sizeof target, "%s/target.json", f.root);
    const char *path = path_in(&f, "/link.json");
    assert_int_equal(symlink(target, path), 0);
    yoke_profile *profile = sample_profile();
    assert_int_equal(yoke_profile_save(profile, path, NULL), YOKE_OK);
    struct stat is;
    assert_int_equal(lstat(path, &is), 0);
    assert_true(S_ISLNK(is.st_mode));
    assert_int_equal(read_text(target)[0], '{');
    yoke_profile_free(profile);
    fixture_remove(&f);
}

static void what_is_no_file_is_not_read(void **state)
{
    (void)state;
    fixture f = fixture_make();
    yoke_profile *profile;
    yoke_error err;
    assert_int_equal(yoke_profile_load(f.root, &profile, &err), YOKE_ERR_IO);
    assert_int_equal(mkfifo(path_in(&f, "/pipe"), 0600), 0);
    assert_int_equal(yoke_profile_load(path_in(&f, "/pipe"), &profile, &err), YOKE_ERR_IO);
    assert_int_equal(yoke_profile_load(path_in(&f, "/absent"), &profile, &err), YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/absent"));
    fixture_remove(&f);
}

/* The sample's text with the first `old` put otherwise. */
static void replaced(const char *text, const char *old, const char *new, char *out, size_t bytes)
{
    const char *at = strstr(text, old);
    if (!at)
        fail_msg("the profile does not say %s", old);
    snprintf(out, bytes, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void malformed_and_foreign_profiles_are_refused_by_field(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        yoke_status status;
        const char *says;
    } cases[] = {
        {"{", "[", YOKE_ERR_FORMAT, "byte "},
        {"\"kind\": \"yoke profile\"", "\"kind\": \"a recipe\"", YOKE_ERR_FORMAT, "kind"},
        {"\"version\": 1", "\"version\": 2", YOKE_ERR_UNSUPPORTED, "version 2"},
        {"\"version\": 1", "\"version\": \"1\"", YOKE_ERR_FORMAT, "version"},
        {"\"yoke\": \"" YOKE_VERSION, "\"yoke\": \"9.9.9", YOKE_ERR_UNSUPPORTED, "yoke 9.9.9"},
        {"\"cpu\": \"", "\"cpu\": \"Abacus ", YOKE_ERR_UNSUPPORTED, "\"Abacus "},
        {"\"machine\": \"", "\"machine\": \"Loom ", YOKE_ERR_UNSUPPORTED, "\"Loom "},
        {"\"cores\": ", "\"cores\": 99", YOKE_ERR_UNSUPPORTED, "99"},
        {"\"memory_gib\": ", "\"memory_gib\": 99", YOKE_ERR_UNSUPPORTED, "99"},
        {"\"cores\"", "\"pores\"", YOKE_ERR_FORMAT, "host.cores"},
        {"\"host\"", "\"ghost\"", YOKE_ERR_FORMAT, "host"},
        {"\"curves\"", "\"swerves\"", YOKE_ERR_FORMAT, "curves"},
        {"\"curves\": [", "\"curves\": [3,", YOKE_ERR_FORMAT, "curves[0].engine"},
        {"\"engine\": \"opencl:0\"", "\"engine\": \"\"", YOKE_ERR_FORMAT, "curves[1].points[0]"},
        {"\"description\": \"driver 3.0\"", "\"description\": null", YOKE_ERR_FORMAT,
         "curves[1].description"},
        {"\"format\": \"q4_0\"", "\"format\": \"q9_9\"", YOKE_ERR_FORMAT, "curves[0].format"},
        {"\"k\": 4096", "\"k\": -4096", YOKE_ERR_FORMAT, "curves[0].k"},
        {"\"k\": 4096", "\"k\": 1e99", YOKE_ERR_FORMAT, "curves[0].k"},
        {"\"precision\": \"int8_x\"", "\"precision\": \"some\"", YOKE_ERR_FORMAT,
         "curves[0].precision"},
        {"\"points\": [", "\"points\": [{},", YOKE_ERR_FORMAT, "curves[0].points[0].m"},
        {"\"median_ns\": 2000.0", "\"median_ns\": 0", YOKE_ERR_FORMAT, "curves[0].points[1]"},
        {"\"median_ns\": 2000.0", "\"median_ns\": 1e200", YOKE_ERR_FORMAT, "curves[0].points[1]"},
        {"\"mad_ns\": 20.0", "\"mad_ns\": -1", YOKE_ERR_FORMAT, "curves[0].points[1]"},
        {"\"m\": 8", "\"m\": 0", YOKE_ERR_FORMAT, "curves[0].points[1]"},
        {"\"n\": 512", "\"n\": 512, \"n\": 3", YOKE_ERR_FORMAT, "byte "},
        {"\"slowdown\": 1.5", "\"slowdown\": \"much\"", YOKE_ERR_FORMAT,
         "curves[0].contention[1].slowdown"},
        {"\"slowdown\": 1.5", "\"slowdown\": -1.5", YOKE_ERR_FORMAT, "curves[0].contention[1]"},
        {"\"points\": [", "\"points\": [], \"others\": [", YOKE_ERR_FORMAT,
         "curves[0].contention[0]"}, /* of a curve without a point */
    };
    fixture f = fixture_make();
    char path[512], good[16384], bad[17000];
    snprintf(path, sizeof path, "%s/profile.json", f.root);
    yoke_profile *profile = sample_profile();
    assert_int_equal(yoke_profile_save(profile, path, NULL), YOKE_OK);
    yoke_profile_free(profile);
    strcpy(good, read_text(path));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        yoke_error err = {0};
        replaced(good, cases[i].old, cases[i].new, bad, sizeof bad);
        fixture_file(&f, "/profile.json", bad);
        yoke_status status = yoke_profile_load(path, &profile, &err);
        if (status != cases[i].status || !strstr(err.text, cases[i].says) ||
            strncmp(err.text, path, strlen(path)) != 0)
            fail_msg("%s: %s \"%s\"", cases[i].new, yoke_status_name(status), err.text);
    }
    /* Cut anywhere, it is no profile. */
    for (size_t length = 0; length + 2 < strlen(good); length += 7) {
        snprintf(bad, sizeof bad, "%.*s", (int)length, good);
        fixture_file(&f, "/profile.json", bad);
        assert_int_equal(yoke_profile_load(path, &profile, NULL), YOKE_ERR_FORMAT);
    }
    fixture_remove(&f);
}

static void saved_host_is_this_machine(void **state)
{
    (void)state;
    fixture f = fixture_make();
    yoke_profile *profile = sample_profile();
    assert_int_equal(yoke_profile_save(profile, path_in(&f, "/p.json"), NULL), YOKE_OK);
    yoke_profile_free(profile);
    yoke_host *host = malloc(sizeof *host);
    assert_non_null(host);
    assert_int_equal(yoke_host_read(host, NULL), YOKE_OK);
    json_t *root = json_load_file(path_in(&f, "/p.json"), 0, NULL), *said;
    assert_non_null(root);
    said = json_object_get(root, "host");
    assert_string_equal(json_string_value(json_object_get(said, "cpu")), host->cpu);
    assert_int_equal(json_integer_value(json_object_get(said, "cores")), host->cores);
    assert_int_equal(json_integer_value(json_object_get(said, "memory_gib")),
                     ceil((double)host->memory_bytes / 0x1p30));
    json_decref(root);
    free(host);
    fixture_remove(&f);
}

static void an_engine_described_otherwise_loses_what_was_measured_of_and_with_it(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile();
    yoke_curve_key updated = gpu, other_format = gpu;
    updated.description = "driver 3.1";
    other_format.format = YOKE_F32;
    assert_int_equal(add(profile, &other_format, 1, 100, 100), YOKE_OK);
    assert_true(predicts(profile, &gpu));
    assert_false(predicts(profile, &updated));
    assert_near(yoke_profile_contention(profile, &cpu, 1, "opencl:0"), 1.1, 1e-12);

    assert_int_equal(add(profile, &updated, 1, 100, 100), YOKE_OK);
    assert_true(predicts(profile, &updated));
    assert_false(predicts(profile, &gpu));
    assert_false(predicts(profile, &other_format));
    assert_true(predicts(profile, &cpu));
    assert_near(yoke_profile_contention(profile, &cpu, 1, "opencl:0"), 1, 0);
    assert_near(yoke_profile_contention(profile, &updated, 1, "cpu:0"), 1, 0);
    yoke_profile_free(profile);
}

static void no_description_matches_any(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile();
    yoke_curve_key plain = gpu;
    plain.description = NULL;
    assert_true(predicts(profile, &plain));
    assert_int_equal(add(profile, &plain, 1, 2048, 1400), YOKE_OK);
    assert_true(predicts(profile, &gpu));
    yoke_profile_free(profile);
}

static void each_part_of_the_key_tells_curves_apart(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile();
    yoke_curve_key other = gpu;
    other.x_format = YOKE_F32; /* what 0 stands for */
    assert_true(predicts(profile, &other));
    other.x_format = YOKE_F16;
    assert_false(predicts(profile, &other));
    other = gpu;
    other.k = 128;
    assert_false(predicts(profile, &other));
    other = gpu;
    other.precision = YOKE_PRECISION_BF16_X;
    assert_false(predicts(profile, &other));
    other = gpu;
    other.engine = "opencl:1";
    yoke_error err;
    double ns;
    assert_int_equal(yoke_profile_predict(profile, &other, 1, 1, &ns, &err), YOKE_ERR_NOT_FOUND);
    assert_string_equal(err.text,
                        "opencl:1: the profile has no curve for weights in f16 with k = 64, "
                        "x in f32, precision full");
    yoke_profile_free(profile);
}

static void dropped_curve_is_gone_with_its_slowdowns(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile();
    yoke_profile_drop(profile, &cpu);
    assert_false(predicts(profile, &cpu));
    assert_true(predicts(profile, &gpu));
    assert_near(yoke_profile_contention(profile, &cpu, 1, "opencl:0"), 1, 0);
    assert_near(yoke_profile_contention(profile, &gpu, 1, "cpu:0"), 1.25, 0);
    yoke_profile_drop(profile, &cpu);
    yoke_profile_free(profile);
}

static void slowdown_is_linear_over_m_and_at_least_1(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile(); /* 1.1 at 1, 1.5 at 8 */
    assert_near(yoke_profile_contention(profile, &cpu, 1, "opencl:0"), 1.1, 1e-12);
    assert_near(yoke_profile_contention(profile, &cpu, 3, "opencl:0"), 1.1 + 0.4 * 2 / 7, 1e-12);
    assert_near(yoke_profile_contention(profile, &cpu, 100, "opencl:0"), 1.5, 1e-12);
    assert_near(yoke_profile_contention(profile, &cpu, 1, "npu"), 1, 0);
    assert_int_equal(contend(profile, &cpu, 8, "opencl:0", 0.9), YOKE_OK);
    assert_near(yoke_profile_contention(profile, &cpu, 100, "opencl:0"), 1, 0);
    yoke_profile_free(profile);
}

static void what_is_no_measurement_is_refused(void **state)
{
    (void)state;
    yoke_profile *profile = sample_profile();
    const double no_times[] = {0, -1, NAN, INFINITY, 1e19};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(add(profile, &cpu, 1, 1, no_times[i]), YOKE_ERR_USAGE);
        assert_int_equal(contend(profile, &cpu, 1, "opencl:0", no_times[i]), YOKE_ERR_USAGE);
    }
    assert_int_equal(add(profile, &cpu, 0, 1, 1), YOKE_ERR_USAGE);
    assert_int_equal(add(profile, &cpu, 1, 0, 1), YOKE_ERR_USAGE);
    assert_int_equal(add(profile, &cpu, 1, SIZE_MAX, 1), YOKE_ERR_USAGE);
    assert_int_equal(
        add(profile, &(yoke_curve_key){.engine = "", .format = YOKE_F16, .k = 1}, 1, 1, 1),
        YOKE_ERR_USAGE);
    assert_int_equal(add(profile, &(yoke_curve_key){.engine = "cpu", .k = 1}, 1, 1, 1),
                     YOKE_ERR_USAGE);
    assert_int_equal(add(profile, &(yoke_curve_key){.engine = "cpu", .format = YOKE_F16}, 1, 1, 1),
                     YOKE_ERR_USAGE);
    assert_int_equal(contend(profile, &cpu, 1, "", 1.5), YOKE_ERR_USAGE);
    yoke_curve_key unknown = cpu;
    unknown.k = 1;
    assert_int_equal(contend(profile, &unknown, 1, "opencl:0", 1.5), YOKE_ERR_NOT_FOUND);
    assert_is_sample(profile);
    yoke_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_profile_reads_back_the_same_in_new_folders),
        cmocka_unit_test(without_a_path_it_is_kept_in_the_users_cache_folder),
        cmocka_unit_test(home_stands_in_for_a_cache_folder_that_is_not_absolute),
        cmocka_unit_test(profile_that_cannot_be_written_leaves_nothing_behind),
        cmocka_unit_test(a_link_to_a_profile_stays_a_link),
        cmocka_unit_test(what_is_no_file_is_not_read),
        cmocka_unit_test(malformed_and_foreign_profiles_are_refused_by_field),
        cmocka_unit_test(saved_host_is_this_machine),
        cmocka_unit_test(an_engine_described_otherwise_loses_what_was_measured_of_and_with_it),
        cmocka_unit_test(no_description_matches_any),
        cmocka_unit_test(each_part_of_the_key_tells_curves_apart),
        cmocka_unit_test(dropped_curve_is_gone_with_its_slowdowns),
        cmocka_unit_test(slowdown_is_linear_over_m_and_at_least_1),
        cmocka_unit_test(what_is_no_measurement_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
