#include "measure/record_fields.h"

#include "yoke/record.h"

#define FIELD(type, name, kind, member)                                                            \
    {                                                                                              \
        name, RECORD_##kind, offsetof(type, member), sizeof((type *)0)->member                     \
    }

#define TABLE(fields)                                                                              \
    {                                                                                              \
        fields, sizeof fields / sizeof *fields                                                     \
    }

#define OWN(name, kind, member) FIELD(yoke_record, name, kind, member)

static const record_field own_fields[] = {
    OWN("time_utc", TEXT, time_utc),
    OWN("elapsed_seconds", REAL, elapsed_seconds),
    OWN("load_average_before", REAL, load_before),
    OWN("load_average_after", REAL, load_after),
};

const record_table record_own_table = TABLE(own_fields);

#define HOST(name, kind, member) FIELD(yoke_host, name, kind, member)

static const record_field host_fields[] = {
    HOST("os", TEXT, os),
    HOST("cpu", TEXT, cpu),
    HOST("machine", TEXT, machine),
    HOST("hypervisor", TEXT, hypervisor),
    HOST("translated", BOOL, translated),
    HOST("packages", SIZE, packages),
    HOST("numa_nodes", SIZE, numa_nodes),
    HOST("cores", SIZE, cores),
    HOST("logical_cpus", SIZE, logical_cpus),
    HOST("l1d_bytes", SIZE, l1d_bytes),
    HOST("l2_bytes", SIZE, l2_bytes),
    HOST("l3_bytes", SIZE, l3_bytes),
    HOST("cache_bytes", SIZE, cache_bytes),
    HOST("memory_bytes", BYTES, memory_bytes),
    HOST("usable_threads", SIZE, usable_threads),
    HOST("usable_reason", TEXT, usable_reason),
    HOST("governor", TEXT, governor),
    HOST("low_power", FLAG, low_power),
    HOST("on_battery", FLAG, on_battery),
    HOST("ane", TEXT, ane),
    HOST("ane_count", SIZE, ane_count),
    HOST("ane_cores", SIZE, ane_cores),
};

const record_table record_host_table = TABLE(host_fields);

static const record_field core_set_fields[] = {
    FIELD(yoke_core_set, "kind", TEXT, kind),
};

const record_table record_core_set_table = TABLE(core_set_fields);

#define ARTEFACT(name, kind, member) FIELD(yoke_identity, name, kind, member)

static const record_field artefact_fields[] = {
    ARTEFACT("kind", TEXT, kind),
    ARTEFACT("path", TEXT, path),
    ARTEFACT("tensor", TEXT, tensor),
    ARTEFACT("seed", BYTES, seed),
    ARTEFACT("format", FORMAT, format),
    ARTEFACT("n", SIZE, n),
    ARTEFACT("k", SIZE, k),
    ARTEFACT("bytes", BYTES, bytes),
    ARTEFACT("hash", TEXT, hash),
    ARTEFACT("hash_of", TEXT, hash_of),
    ARTEFACT("zero_pages", REAL, zero_pages),
};

const record_table record_artefact_table = TABLE(artefact_fields);

#define SAMPLING(name, kind, member) FIELD(yoke_sampling, name, kind, member)

static const record_field sampling_fields[] = {
    SAMPLING("min_samples", SIZE, min_samples),     SAMPLING("min_seconds", REAL, min_seconds),
    SAMPLING("max_samples", SIZE, max_samples),     SAMPLING("max_seconds", REAL, max_seconds),
    SAMPLING("warmup_window", SIZE, warmup_window), SAMPLING("warmup_spread", REAL, warmup_spread),
    SAMPLING("warmup_max", SIZE, warmup_max),
};

const record_table record_sampling_table = TABLE(sampling_fields);

#define ENGINE(name, kind, member) FIELD(yoke_record_engine, name, kind, member)

static const record_field engine_fields[] = {
    ENGINE("specification", TEXT, specification),
    ENGINE("name", TEXT, info.name),
    ENGINE("description", TEXT, info.description),
    ENGINE("ready", BOOL, info.ready),
    ENGINE("reason", TEXT, info.reason),
    ENGINE("accumulate", FORMAT, info.facts.accumulate),
    ENGINE("granule_m", SIZE, info.facts.granule_m),
    ENGINE("granule_n", SIZE, info.facts.granule_n),
    ENGINE("prepared_format", FORMAT, prepared.format),
    ENGINE("prepared_layout", TEXT, prepared.layout),
    ENGINE("prepared_bytes", BYTES, prepared.prepared_bytes),
    ENGINE("copied_bytes", BYTES, prepared.copied_bytes),
    ENGINE("prepare_ns", BYTES, prepared.elapsed_ns),
};

const record_table record_engine_table = TABLE(engine_fields);

#define ROW(name, kind, member) FIELD(yoke_record_row, name, kind, member)

static const record_field row_fields[] = {
    ROW("suite", TEXT, suite),
    ROW("case", TEXT, what),
    ROW("engine", TEXT, engine),
    ROW("other", TEXT, other),
    ROW("format", FORMAT, format),
    ROW("prepared_format", FORMAT, prepared_format),
    ROW("x_format", FORMAT, x_format),
    ROW("precision", TEXT, precision),
    ROW("wait", TEXT, wait),
    ROW("path", TEXT, path),
    ROW("placement", TEXT, placement),
    ROW("check", TEXT, check),
    ROW("check_worst", REAL, check_worst),
    ROW("reason", TEXT, reason),
    ROW("m", SIZE, m),
    ROW("n", SIZE, n),
    ROW("k", SIZE, k),
    ROW("bytes", BYTES, bytes),
    ROW("prepared_bytes", BYTES, prepared_bytes),
    ROW("logical_bytes", BYTES, logical_bytes),
    ROW("min_ns", RATE, time.min),
    ROW("p10_ns", RATE, time.p10),
    ROW("median_ns", RATE, time.median),
    ROW("median_low_ns", RATE, time.median_low),
    ROW("median_high_ns", RATE, time.median_high),
    ROW("p90_ns", RATE, time.p90),
    ROW("p99_ns", RATE, time.p99),
    ROW("max_ns", RATE, time.max),
    ROW("mean_ns", RATE, time.mean),
    ROW("mad_ns", RATE, time.mad),
    ROW("drift", RATE, time.drift),
    ROW("device_ns", RATE, device_ns),
    ROW("naive_gbps", RATE, naive_gbps),
    ROW("mean_gbps", RATE, mean_gbps),
    ROW("slope_gbps", RATE, slope_gbps),
    ROW("slope_error_gbps", RATE, slope_error_gbps),
    ROW("fixed_ns", RATE, fixed_ns),
    ROW("fixed_error_ns", RATE, fixed_error_ns),
    ROW("fit_residual", RATE, fit_residual),
    ROW("limit_gbps", REAL, limit_gbps),
    ROW("limit_naive_gbps", REAL, limit_naive_gbps),
    ROW("counted_bytes", RATE, counted_bytes),
    ROW("counted_bytes_by", TEXT, counted_bytes_by),
    ROW("counted_joules", RATE, counted_joules),
    ROW("counted_joules_by", TEXT, counted_joules_by),
    ROW("tflops", RATE, tflops),
    ROW("limit_tflops", REAL, limit_tflops),
    ROW("limit_before_tflops", REAL, limit_before_tflops),
    ROW("limit_after_tflops", REAL, limit_after_tflops),
    ROW("fraction_of_limit", RATE, fraction_of_limit),
    ROW("turn_m", RATE, turn_m),
    ROW("turn_m_predicted", REAL, turn_m_predicted),
    ROW("k_padding_cost", RATE, k_padding_cost),
    ROW("task_ns", REAL, task_ns),
    ROW("wake_added_ns", RATE, wake_added_ns),
    ROW("retained", RATE, retained),
    ROW("retained_low", RATE, retained_low),
    ROW("retained_high", RATE, retained_high),
    ROW("together", RATE, together),
    ROW("together_low", RATE, together_low),
    ROW("together_high", RATE, together_high),
    ROW("sharing", TEXT, sharing),
    ROW("best_single", TEXT, best_single),
    ROW("best_single_ns", RATE, best_single_ns),
    ROW("ideal_ns", RATE, ideal_ns),
    ROW("efficiency", RATE, efficiency),
    ROW("predicted_ns", RATE, predicted_ns),
    ROW("axis", TEXT, axis),
    ROW("share", RATE, share),
    ROW("window_ns", RATE, window_ns),
    ROW("weights", SIZE, weights),
    ROW("prepare_ns", RATE, prepare_ns),
    ROW("idle_states", TEXT, idle_states),
    ROW("failed", BOOL, failed),
};

const record_table record_row_table = TABLE(row_fields);
