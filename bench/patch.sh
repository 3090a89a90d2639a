# The patch gate beside bare git, and its throughput. Sourced by bench/run: uses its functions and variables.

# typical PATHS...: 3 files, 60 changed lines
typical() {
  for path; do
    printf 'diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -47,16 +47,16 @@\n line 47\n line 48\n line 49\n' "$path" "$path" "$path" "$path"
    for n in {50..59}; do printf -- '-line %s\n' "$n"; done
    for n in {50..59}; do printf '+line %s changed\n' "$n"; done
    printf ' line 60\n line 61\n line 62\n'
  done
}

# big BYTES: one section after the other until the patch has that size
big() {
  awk -v want="$1" 'BEGIN {
    for (i = 1; i <= 12; ++i) body = body "+    value_" i " = compute(alpha, beta, gamma) // some text that a line of code may have\n"
    while (size < want - 1500) {
      ++n
      s = "diff --git a/src/d" int(n / 50) "/file" n ".c b/src/d" int(n / 50) "/file" n ".c\nnew file mode 100644\n--- /dev/null\n+++ b/src/d" int(n / 50) "/file" n ".c\n@@ -0,0 +1,12 @@\n" body
      printf "%s", s; size += length(s)
    } }'
}

turns "$gatehouse" --version --- "$build/bench/ref_empty"
row "process start: gatehouse --version / empty C program ($b us)" "$(ratio "$a" "$b")" '<=' 4 times

for files in 100 100000; do
  repo=$scratch/repo$files
  repository "$repo" $files
  typical d0/f3.txt d0/f40.txt d0/f77.txt >"$scratch/typical.patch"
  (cd "$repo" && "$gatehouse" patch check -q "$scratch/typical.patch" >/dev/null)
  cd "$repo"
  # The bare check works on the index, as ours does: no file is checked out in these repositories.
  cached=$("$spawn" 21 git apply --check --cached "$scratch/typical.patch" | cut -d" " -f1)
  git checkout-index -q -f d0/f3.txt d0/f40.txt d0/f77.txt
  turns "$gatehouse" patch check "$scratch/typical.patch" --- git apply --check "$scratch/typical.patch"
  row "patch check / bare git apply --check, $files files ($b us; --cached $cached us)" "$(ratio "$a" "$b")" '<=' 4 times
  one_git=$b
  mkdir -p "$scratch/batch$files"
  for n in {1..200}; do cp "$scratch/typical.patch" "$scratch/batch$files/$n.patch"; done
  alternate "$spawn" 1 "$gatehouse" patch check --batch "$scratch/batch$files" --- "$spawn" 200 git apply --check "$scratch/typical.patch"
  per=$(awk -v a="$a" 'BEGIN {printf "%.1f", a / 200}')
  row "patch check --batch, per patch / bare git apply --check, $files files ($b us)" "$(ratio "$per" "$b")" '<=' 1.3 times
  cd /
done

mkdir "$scratch/refused"
for n in {1..4000}; do sed "s/^-line 5[0-9]$/-line 5x/; s,^diff --git a/d0,diff --git a/.github/workflows," "$scratch/typical.patch" | sed "1s/$/ $n/" >"$scratch/refused/$n.patch"; done 2>/dev/null
cd "$scratch/repo100"
alternate "$spawn" 1 "$gatehouse" patch check --batch "$scratch/refused" --- "$spawn" 1 "$build/bench/ref_empty"
row 'refused before git is asked, --batch' "$(awk -v a="$a" 'BEGIN {printf "%d", 4000 / (a / 1e6)}')" '>=' 5000 'per s'

big $((64 * 1024 * 1024 - 4096)) >"$scratch/64M.patch"
big $((1024 * 1024)) >"$scratch/1M.patch"
small=$(stat -c %s "$scratch/1M.patch") large=$(stat -c %s "$scratch/64M.patch")
# The same number of bytes in every sample, so that a quiet moment of the machine helps both alike.
alternate "$build/bench/bench_judge" "$scratch/64M.patch" 3 --- "$build/bench/bench_judge" "$scratch/1M.patch" 192
row 'parse + path + policy, 64 MiB patch' "$(awk -v a="$a" -v n="$large" 'BEGIN {printf "%d", n / a}')" '>=' 200 'MB/s'
row 'time per byte, 64 MiB / 1 MiB' "$(awk -v a="$a" -v n="$large" -v b="$b" -v m="$small" 'BEGIN {printf "%.2f", (a / n) / (b / m)}')" '<=' 1.3 times
peak=$("$spawn" 1 "$gatehouse" patch check "$scratch/64M.patch" | awk '{print int($2 / 1024)}')
row "peak memory, $((large / 1024 / 1024)) MiB patch" "$peak" '<=' $((4 * large / 1024 / 1024 + 30)) MiB
