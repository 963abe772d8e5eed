#!/bin/sh
# Netlib's level-3 BLAS testers, with sgemm made of yoke.
# netlib_test.sh SHIM ENGINE fortran|c
shim=$1
engine=$2
language=$3

case $language in
fortran) tester=xblat3s ;;
c) tester=xscblat3 ;;
esac
program=$(ls /usr/lib/*/blas/$tester 2>/dev/null | head -n 1)
if [ -z "$program" ]; then
    echo "skipped: $tester is not installed (Debian package libblas-test)"
    exit 77
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

settings() {
    if [ "$language" = fortran ]; then
        echo "'summary' NAME OF SUMMARY OUTPUT FILE"
        echo "6 UNIT NUMBER OF SUMMARY FILE"
    fi
    echo "'snapshot' NAME OF SNAPSHOT OUTPUT FILE"
    echo "-1 UNIT NUMBER OF SNAPSHOT FILE (NOT USED IF .LT. 0)"
    echo "F TO REWIND SNAPSHOT FILE AFTER EACH RECORD"
    echo "F TO STOP ON FAILURES"
    echo "T TO TEST ERROR EXITS"
    if [ "$language" = c ]; then
        echo "2 TO TEST BOTH COLUMN-MAJOR AND ROW-MAJOR"
    fi
    echo "16.0 THRESHOLD VALUE OF TEST RATIO"
    if [ "$language" = c ]; then # twice the calls: fewer sizes
        echo "5 NUMBER OF VALUES OF N"
        echo "0 1 31 32 65"
    else
        echo "8 NUMBER OF VALUES OF N"
        echo "0 1 2 31 32 33 64 65"
    fi
    echo "3 NUMBER OF VALUES OF ALPHA"
    echo "0.0 1.0 0.7"
    echo "3 NUMBER OF VALUES OF BETA"
    echo "0.0 1.0 1.3"
    # The names stand in a field of their own width.
    for routine in gemm symm trmm trsm syrk syr2k; do
        wanted=F
        [ $routine = gemm ] && wanted=T
        if [ "$language" = c ]; then
            printf 'cblas_s%-5s %s\n' $routine $wanted
        else
            printf 'S%-5s %s\n' "$(echo $routine | tr '[:lower:]' '[:upper:]')" $wanted
        fi
    done
}

settings > settings
# Beside netlib's own library, whatever other one the system prefers.
LD_LIBRARY_PATH=$(dirname "$program") YOKE_SHIM_ENGINE=$engine LD_PRELOAD=$shim "$program" < settings > output 2> messages
status=$?
[ -f summary ] && cat summary >> output
cat output messages

passed() {
    grep -q "$1" output && return
    echo "FAILED: the output does not say: $1"
    exit 1
}

[ $status -eq 0 ] || exit 1
if [ "$language" = c ]; then
    passed 'cblas_sgemm *PASSED THE TESTS OF ERROR-EXITS'
    passed 'cblas_sgemm *PASSED THE COLUMN-MAJOR COMPUTATIONAL TESTS'
    passed 'cblas_sgemm *PASSED THE ROW-MAJOR *COMPUTATIONAL TESTS'
else
    passed 'SGEMM *PASSED THE TESTS OF ERROR-EXITS'
    passed 'SGEMM *PASSED THE COMPUTATIONAL TESTS'
fi
if ! grep -q 'cblas shim: [1-9][0-9]* products' messages; then
    echo "FAILED: the tester did not call yoke"
    exit 1
fi
