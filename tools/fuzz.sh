#!/usr/bin/env bash
# Runs every fuzz target in the time given: tools/fuzz.sh [--seconds N] [--seed N] [--only NAME]
# The libFuzzer targets share one core in turn, the differential fuzzer has the other for the whole
# time. Prints one line per target; exit 1 when anything was found (inputs kept in build-fuzz/findings).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=60
seed=1
only=
while (($#)); do
  case $1 in
    --seconds) seconds=$2 ;;
    --seed) seed=$2 ;;
    --only) only=$2 ;;
    *)
      echo "usage: tools/fuzz.sh [--seconds N] [--seed N] [--only NAME]" >&2
      exit 2
      ;;
  esac
  shift 2
done

work=$root/build-fuzz
findings=$work/findings
cd "$root"
[[ -f $work/build.ninja ]] || cmake --preset fuzz --log-level=WARNING >/dev/null
[[ -f build/build.ninja ]] || cmake --preset release --log-level=WARNING >/dev/null
mkdir -p "$findings"
ninja -C "$work" --quiet
ninja -C build --quiet differential_fuzz

wanted() { [[ -z $only || $only == "$1" ]]; }
targets=()
for source in fuzz/*_fuzz.cc; do
  name=$(basename "$source" _fuzz.cc)
  if wanted "$name"; then targets+=("$name"); fi
done

# run_target NAME SECONDS: one libFuzzer target; its line goes to NAME.line
run_target() {
  local name=$1 log=$work/$1.log status=0 options=()
  mkdir -p "$work/corpus/$name" "fuzz/seeds/$name"
  [[ ! -f fuzz/$name.dict ]] || options+=("-dict=fuzz/$name.dict")
  "$work/fuzz/${name}_fuzz" -seed="$seed" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$findings/$name-" "${options[@]}" \
    "$work/corpus/$name" "fuzz/seeds/$name" >"$log" 2>&1 || status=$?
  local executed coverage
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -1 || true)
  printf '%-14s executions %-10s coverage %-22s %s\n' "$name" "${executed:-?}" "${coverage:-?}" \
    "$([[ $status == 0 ]] && echo 'no finding' || echo "FOUND, see $log")" >"$work/$name.line"
  return "$status"
}

share=$seconds
if ((${#targets[@]} > 0)); then share=$((seconds / ${#targets[@]})); fi
((share > 0)) || share=1
failed=0
differential=
if wanted differential; then
  build/fuzz/differential/differential_fuzz --seconds "$seconds" --seed "$seed" \
    --findings "$findings" >"$work/differential.line" 2>"$work/differential.log" &
  differential=$!
fi
for name in "${targets[@]}"; do
  run_target "$name" "$share" || failed=1
  cat "$work/$name.line"
done
if [[ -n $differential ]]; then
  wait "$differential" || failed=1
  cat "$work/differential.line"
fi
exit "$failed"
