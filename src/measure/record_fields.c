#include "measure/record_fields.h"

#include "yoke/record.h"

#define FIELD(name, kind, member)                                                                  \
    {                                                                                              \
        name, kind, offsetof(yoke_record_row, member)                                              \
    }

const record_field record_row_fields[] = {
    FIELD("suite", RECORD_TEXT, suite),
    FIELD("case", RECORD_TEXT, what),
    FIELD("engine", RECORD_TEXT, engine),
    FIELD("format", RECORD_FORMAT, format),
    FIELD("prepared_format", RECORD_FORMAT, prepared_format),
    FIELD("x_format", RECORD_FORMAT, x_format),
    FIELD("precision", RECORD_TEXT, precision),
    FIELD("wait", RECORD_TEXT, wait),
    FIELD("path", RECORD_TEXT, path),
    FIELD("placement", RECORD_TEXT, placement),
    FIELD("check", RECORD_TEXT, check),
    FIELD("check_worst", RECORD_REAL, check_worst),
    FIELD("reason", RECORD_TEXT, reason),
    FIELD("m", RECORD_SIZE, m),
    FIELD("n", RECORD_SIZE, n),
    FIELD("k", RECORD_SIZE, k),
    FIELD("bytes", RECORD_BYTES, bytes),
    FIELD("prepared_bytes", RECORD_BYTES, prepared_bytes),
    FIELD("logical_bytes", RECORD_BYTES, logical_bytes),
    FIELD("min_ns", RECORD_RATE, time.min),
    FIELD("p10_ns", RECORD_RATE, time.p10),
    FIELD("median_ns", RECORD_RATE, time.median),
    FIELD("median_low_ns", RECORD_RATE, time.median_low),
    FIELD("median_high_ns", RECORD_RATE, time.median_high),
    FIELD("p90_ns", RECORD_RATE, time.p90),
    FIELD("p99_ns", RECORD_RATE, time.p99),
    FIELD("max_ns", RECORD_RATE, time.max),
    FIELD("mean_ns", RECORD_RATE, time.mean),
    FIELD("mad_ns", RECORD_RATE, time.mad),
    FIELD("drift", RECORD_RATE, time.drift),
    FIELD("device_ns", RECORD_RATE, device_ns),
    FIELD("naive_gbps", RECORD_RATE, naive_gbps),
    FIELD("slope_gbps", RECORD_RATE, slope_gbps),
    FIELD("slope_error_gbps", RECORD_RATE, slope_error_gbps),
    FIELD("fixed_ns", RECORD_RATE, fixed_ns),
    FIELD("fixed_error_ns", RECORD_RATE, fixed_error_ns),
    FIELD("fit_residual", RECORD_RATE, fit_residual),
    FIELD("limit_gbps", RECORD_REAL, limit_gbps),
    FIELD("limit_naive_gbps", RECORD_REAL, limit_naive_gbps),
    FIELD("tflops", RECORD_RATE, tflops),
    FIELD("limit_tflops", RECORD_REAL, limit_tflops),
    FIELD("limit_before_tflops", RECORD_REAL, limit_before_tflops),
    FIELD("limit_after_tflops", RECORD_REAL, limit_after_tflops),
    FIELD("fraction_of_limit", RECORD_RATE, fraction_of_limit),
    FIELD("turn_m", RECORD_RATE, turn_m),
    FIELD("turn_m_predicted", RECORD_REAL, turn_m_predicted),
    FIELD("k_padding_cost", RECORD_RATE, k_padding_cost),
    FIELD("task_ns", RECORD_REAL, task_ns),
    FIELD("wake_added_ns", RECORD_RATE, wake_added_ns),
    FIELD("idle_states", RECORD_TEXT, idle_states),
};

const size_t record_row_field_count = sizeof record_row_fields / sizeof *record_row_fields;
