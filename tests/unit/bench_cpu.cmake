# The rules of bench/cpu, without its peers.
set(bench_cpu ${PROJECT_SOURCE_DIR}/bench/cpu)
yoke_test(bench_contest ${CMAKE_CURRENT_LIST_DIR}/bench_contest_test.c
  ${bench_cpu}/contest.c ${bench_cpu}/case.c ${bench_cpu}/spell.c)
target_include_directories(test_bench_contest PRIVATE ${PROJECT_SOURCE_DIR} ${bench_cpu})
