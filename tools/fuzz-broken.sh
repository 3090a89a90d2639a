#!/usr/bin/env bash
# Shows that the differential fuzzer would notice: takes a copy of the sources, breaks one layer of
# the defence (fuzz/broken/D*.patch; patch-gate 2), builds the fuzzer from it and lets it run until it
# finds something. Exit 1 when a broken build is not found within --seconds (300).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=300
if [[ ${1-} == --seconds ]]; then seconds=$2; fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missed=0
for broken in "$root"/fuzz/broken/*.patch; do
  name=$(basename "$broken" .patch)
  copy=$scratch/$name
  mkdir "$copy"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -xf - -C "$copy"
  (cd "$copy" && GIT_CEILING_DIRECTORIES=$scratch git apply "$broken")
  cmake -G Ninja -S "$copy" -B "$copy/build" -DCMAKE_BUILD_TYPE=Release -DGH_TESTS=OFF >/dev/null
  ninja -C "$copy/build" --quiet differential_fuzz
  started=$SECONDS
  status=0
  "$copy/build/fuzz/differential/differential_fuzz" --seconds "$seconds" --seed 1 \
    --findings "$scratch" >"$scratch/out" 2>"$scratch/err" || status=$?
  if [[ $status == 1 ]]; then
    printf '%s  found after %d s: %s\n' "$name" $((SECONDS - started)) \
      "$(sed -n 's/^FOUND \(.*\) (seed.*/\1/p' "$scratch/err" | head -1)"
  else
    printf '%s  NOT FOUND in %d s (exit %d)\n' "$name" "$seconds" "$status"
    missed=1
  fi
  rm -rf "$copy"
done
exit "$missed"
