#!/usr/bin/env bash
# Shows that the differential fuzzer would notice: takes a copy of the sources, breaks one layer of
# the defence (fuzz/broken/D*.patch; patch-gate 2), builds the fuzzer from it and lets it run until it
# finds something. Exit 1 when a broken build is not found within --seconds (300).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=300
if [[ ${1-} == --seconds ]]; then seconds=$2; fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -xf - -C "$copy"
export GIT_CEILING_DIRECTORIES=${copy%/*} # the copy is no repository
cd "$copy"
mkdir findings
cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DGH_TESTS=OFF >/dev/null

missed=0
for broken in fuzz/broken/*.patch; do
  name=$(basename "$broken" .patch)
  git apply "$broken"
  ninja -C build --quiet differential_fuzz
  started=$SECONDS
  status=0
  build/fuzz/differential/differential_fuzz --seconds "$seconds" --findings findings \
    >findings/out 2>findings/err || status=$?
  if [[ $status == 1 ]]; then
    printf '%s  found after %d s: %s\n' "$name" $((SECONDS - started)) \
      "$(sed -n 's/^FOUND \(.*\) (seed.*/\1/p' findings/err | head -1)"
  else
    printf '%s  NOT FOUND in %d s (exit %d)\n' "$name" "$seconds" "$status"
    missed=1
  fi
  git apply -R "$broken"
done
exit "$missed"
