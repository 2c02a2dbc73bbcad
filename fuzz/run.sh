#!/bin/sh
# Runs each fuzz target for a minute (or for $1 seconds), beginning with the corpus of mails. Needs cargo-fuzz and a nightly compiler.
set -eu
cd "$(dirname "$0")/.."
for target in reading html line; do
    mkdir -p "fuzz/corpus/$target"
    if [ "$target" = reading ]; then
        cp tests/data/mails/*.eml "fuzz/corpus/$target/"
    fi
    cargo +nightly fuzz run "$target" -- -max_total_time="${1:-60}"
done
