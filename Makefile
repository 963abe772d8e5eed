# The front door: `make bench` measures this machine, `make test` runs every test.
# Behind it stand CMake presets (CMakePresets.json), each in build/<preset>.
SHELL := /bin/bash
PREFIX ?= /usr/local

.PHONY: build bench test check fuzz install clean

build:
	scripts/install-deps build
	cmake --preset release
	cmake --build --preset release --target yoke yoke_program yoke_manual

# The main job: what each engine of this machine can really do.
bench: build
	mkdir -p build/report
	rm -f build/report/bench.json
	set -o pipefail; build/release/cli/yoke bench --suite all --json build/report/bench.json | \
	  tee build/report/bench.txt; status=$$?; \
	  [ ! -e build/report/bench.json ] || \
	  build/release/cli/yoke report build/report/bench.json -o build/report/report.html || status=$$?; exit $$status
	@echo "report: build/report/report.html; as text: build/report/bench.txt; every sample: build/report/bench.json"

# Everything: clang, sanitizers, arm64 under qemu, the release build, and the fuzzers.
test:
	scripts/install-deps build test
	scripts/run-tests clang asan tsan arm64 macos-arm64 macos-x86_64 release fuzz

# The quick round while working.
check:
	scripts/run-tests debug

# Each reader for 300 seconds.
fuzz:
	scripts/install-deps build test
	scripts/run-fuzz

install: build
	cmake --install build/release --prefix '$(PREFIX)'

clean:
	rm -rf build
