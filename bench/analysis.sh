# Sourced by bench/run: structural analysis beside the bare parse of the same files. SOURCES names Python
# sources (default: Python's standard library, without the packages of Debian, of which there may be any number).

# project FOLDER: a repository of what lies there
project() {
  (cd "$1" && git init -q -b main . && git add -A && git -c user.name=b -c user.email=b@example.invalid commit -qm base)
  sleep 3  # files that changed just now are read again
}

# sources FOLDER BYTES [same]: Python files of 100 functions each until there are that many bytes; with `same` every
# function is a copy with other names
sources() {
  mkdir -p "$1"
  awk -v out="$1" -v want="$2" -v same="${3-}" '
    function next_number() { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) }
    BEGIN {
      seed = 42
      for (file = 1; size < want; ++file) {
        path = sprintf("%s/p%d/m%d.py", out, int(file / 100), file)
        if (file % 100 == 1 || file == 1) system("mkdir -p " sprintf("%s/p%d %s/p%d", out, int(file / 100), out, int(file / 100) + 1))
        text = "import os\n"
        for (f = 1; f <= 100; ++f) {
          n = file * 1000 + f
          text = text sprintf("\n\ndef f%d(a, b):\n    total%d = 0\n", n, n)
          for (s = 1; s <= 12; ++s) {
            k = same == "" ? next_number() : s
            v = k % 5
            if (v == 0) text = text sprintf("    if a > %d:\n        total%d += call%d(b)\n", k, n, k % 9973)
            else if (v == 1) text = text sprintf("    for x%d in range(b):\n        total%d = total%d + x%d * %d\n", s, n, n, s, k)
            else if (v == 2) text = text sprintf("    b = b.method%d(a, key%d=%d)\n", k % 7919, k % 31, k)
            else if (v == 3) text = text sprintf("    a = [step%d(y) for y in b if y != %d]\n", k % 6007, k)
            else text = text sprintf("    total%d = max%d(total%d, a - %d)\n", n, k % 4999, n, k)
          }
          text = text sprintf("    return total%d\n", n)
        }
        printf "%s", text > path
        close(path)
        size += length(text)
      }
    }'
}

analysed=$scratch/analysed
mkdir "$analysed"
for folder in ${SOURCES:-/usr/lib/python3.*}; do cp -rL "$folder" "$analysed/"; done 2>/dev/null || true
find "$analysed" -type f ! -name '*.py' -delete
find "$analysed" -type l -delete
# The names of folders that an analysis leaves out.
find "$analysed" -depth -type d \( -name build -o -name dist -o -name migrations -o -name vendor -o -name site-packages \) -exec rm -rf {} +
project "$analysed"
find "$analysed" -name '*.py' | sort >"$scratch/analysed.list"
bytes=$(xargs -d '\n' cat <"$scratch/analysed.list" | wc -c)
state=.git/gatehouse

# cold JOBS: the analysis of the folder around us, with nothing known; warm: with everything known
cold() { rm -rf "$state"; "$spawn" 1 "$gatehouse" analyze --no-store --jobs "$1"; }
warm() { "$spawn" 1 "$gatehouse" analyze --no-store --jobs 1; }
parse() { "$build/bench/ref_tree_sitter_parse" "$1" <"$scratch/analysed.list"; }

cd "$analysed"
alternate cold 1 --- parse 1
one=$a
row "analyze, cold, 1 thread / bare tree-sitter parse ($((bytes / 1000000)) MB, $b us)" "$(ratio "$a" "$b")" '<=' 1.5 times
alternate cold 2 --- parse 2
row "analyze, cold, 2 threads / bare tree-sitter parse ($b us)" "$(ratio "$a" "$b")" '<=' 1.5 times
row 'parallel efficiency at 2 threads' "$(awk -v a="$one" -v b="$a" 'BEGIN {printf "%.2f", a / (2 * b)}')" '>=' 0.8 times
peak=$(cold 1 | awk '{print int($2 / 1024)}')
row 'peak memory of a cold run' "$peak" '<=' "$((6 * bytes / 1048576 + 57))" MiB
warm >/dev/null
warm >/dev/null
alternate cold 1 --- warm
row "analyze, cold / warm with nothing changed ($b us)" "$(ratio "$a" "$b")" '>=' 50 times

# One file of 10,000 is another one each time; the full run makes everything but the facts of files again. Every
# function is used, and every file but one imports another.
many=$scratch/many
mkdir "$many"
awk -v out="$many" 'BEGIN {
  for (d = 0; d < 100; ++d) {
    system("mkdir " out "/d" d)
    for (f = 0; f < 100; ++f) {
      path = out "/d" d "/m" f ".py"; n = d * 100 + f; m = int(n / 2)
      if (n > 0) printf "from d%d.m%d import f%d_1\n\n\n", int(m / 100), m % 100, m > path
      for (k = 1; k <= 10; ++k)
        printf "def f%d_%d(a):\n    b = f%d_%d(a)\n    if b > %d:\n        return f%d_%d(b)\n    return a\n\n\n", n, k, (n + k) % 10000, k % 10 + 1, k, (n * k) % 10000, (k + 3) % 10 + 1 > path
      printf "print(f%d_1(1))\n", n > path
      close(path)
    }
  } }'
cd "$many"
project "$many"
"$gatehouse" analyze --jobs 1 >/dev/null
"$gatehouse" analyze --jobs 1 >/dev/null
edits=0
# By the processor: it depends less on who else is at work. As a person asks for it, the run is stored; or with
# --no-store. A length that was never asked for, above that of every function: no answer is known, so everything but the
# facts is made again.
whole() {
  edits=$((edits + 1))
  SPAWN_CPU=1 "$spawn" 1 "$gatehouse" analyze --jobs 1 --min-loc $((1000 + edits)) "$@"
}
# changed: a run after the edit that `edit` makes, another one each time.
changed() {
  edits=$((edits + 1))
  "$edit" "$edits"
  SPAWN_CPU=1 "$spawn" 1 "$gatehouse" analyze --jobs 1 "$@"
}
add_function() { printf 'def edited%d(a):\n    return a\n' "$1" >>d7/m7.py; }
change_body() { sed -i "s/if b > [0-9]*:/if b > $1:/" d8/m8.py; }
# A call goes away, or comes back where there is none left.
change_call() {
  if grep -q 'return f[0-9_]*(b)' d6/m6.py; then sed -i '0,/return f[0-9_]*(b)/s//return b/' d6/m6.py
  else git checkout -q d6/m6.py; fi
}
# An import more, of another module each time.
change_import() { sed -i -e '/^from d1\./d' -e "1i from d1.m$(($1 % 100)) import f1" d9/m9.py; }
# Bodies of ten files.
change_ten() { sed -i "s/if b > [0-9]*:/if b > $1:/" d3/m{0,1,2,3,4,5,6,7,8,9}.py; }
# A file comes, with another function each time.
change_files() {
  printf 'from d1.m1 import f101_1\n\n\ndef later%d(a):\n    return f101_1(a)\n\n\nprint(later%d(1))\n' "$1" "$1" >d5/later.py
}
# A function that others speak of is renamed: dead code is looked for anew.
rename_function() { sed -i "s/^def f404_3[a-z]*(/def f404_3$(printf "\\x$((61 + $1 % 6))")(/" d4/m4.py; }
# Each edit alone, and a state that there never was: what was answered once is answered from memory.
forget_edits() { git checkout -q . && rm -f d5/later.py; }
# What the parse of the changed file alone takes, as a part of a whole run.
alone() { echo "$many/$1" | "$build/bench/ref_tree_sitter_parse" 1; }
for option in '' --no-store; do
  for edit in add_function:d7/m7.py change_body:d8/m8.py change_call:d6/m6.py change_import:d9/m9.py change_ten:d3/m3.py \
    change_files:d5/m5.py rename_function:d4/m4.py; do
    file=${edit#*:} edit=${edit%%:*}
    forget_edits
    changed $option >/dev/null
    changed $option >/dev/null
    alternate changed $option --- whole $option
    parsed=$(alone "$file" | awk '{print $1}')
    what="one of 10,000 files changed (${edit/_/ })${option:+, not stored} / a warm full run ($b us)"
    part=$(awk -v a="$a" -v b="$b" -v p="$parsed" 'BEGIN {printf "%.3f", (a - p) / b}')
    # What reaches the tenth is held to it; the rest is told.
    case $option$edit in
      change_files | --no-store[!c]* | --no-storechange_call | --no-storechange_import | --no-storechange_files) told "$what" "$part" times ;;
      *) row "$what" "$part" '<=' 0.10 times ;;
    esac
  done
done
cd /

# Time per byte must not grow with the project, whatever its code is like.
for kind in varied same; do
  for size in 2500000 25000000; do
    sources "$scratch/$kind$size" "$size" "${kind#varied}"
    project "$scratch/$kind$size"
  done
  small() { cd "$scratch/${kind}2500000" && cold 1; }
  large() { cd "$scratch/${kind}25000000" && cold 1; }
  kept=$rounds rounds=$((rounds < 15 ? rounds : 15))
  alternate large --- small
  rounds=$kept
  row "time per byte at 25 MB / at 2.5 MB, $kind functions" "$(awk -v a="$a" -v b="$b" 'BEGIN {printf "%.2f", a / b / 10}')" '<=' 1.3 times
  rm -rf "$scratch/${kind}25000000"
  cd /
done
