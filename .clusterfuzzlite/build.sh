#!/bin/bash -eu
# Builds the fuzz targets of the core for ClusterFuzzLite and OSS-Fuzz, which set SRC, WORK, OUT, CXX, CXXFLAGS and
# LIB_FUZZING_ENGINE; docs/fuzzing.md says how to run it without them. Assertions stay on.
source=$SRC/foliation
cmake -G Ninja -S "$source" -B "$WORK/fuzz" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-D_GLIBCXX_ASSERTIONS \
    -DFOLIATION_PYTHON=OFF -DFOLIATION_FUZZ=ON -DFOLIATION_FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/fuzz"

for program in "$WORK"/fuzz/fuzz_*; do
    name=$(basename "$program")
    target=${name#fuzz_}
    cp "$program" "$OUT/"
    printf '[libfuzzer]\nmax_len = 2048\nlen_control = 0\n' > "$OUT/$name.options"
    inputs=("$source/tests/fuzz/corpus/$target")
    [ ! -d "$source/tests/fuzz/regressions/$target" ] || inputs+=("$source/tests/fuzz/regressions/$target")
    python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" $(find "${inputs[@]}" -type f)
done
