# Change control as whole processes beside one bare `git status`. Sourced by bench/run: uses its functions and variables.

# 100,000 files, a hundred of them Python; the analysis is made beforehand.
changing=$scratch/changing
repository "$changing" 100000
(
  cd "$changing"
  git checkout -q -f main -- .
  mkdir -p pkg
  for n in {1..100}; do
    printf 'import os\nfrom pkg import m%d\n\n\ndef f%d(a):\n    if a:\n        return os.path.join(a, "%d")\n    return a\n' "$((n / 2))" "$n" "$n" >"pkg/m$n.py"
  done
  git add -A
  git -c user.name=b -c user.email=b@example.invalid commit -qm sources
)
cd "$changing"
"$gatehouse" analyze >/dev/null
edit=0
bare_status() { "$spawn" 1 git --no-optional-locks status --porcelain=v2 -z --untracked-files=all; }
change_started() {
  edit=$((edit + 1))
  "$gatehouse" change abandon --all --session bench >/dev/null
  "$spawn" 1 "$gatehouse" change start --goal "edit $edit" --allow d1/f150.txt --session bench
}
change_finished() {
  git checkout -q -- d1/f150.txt
  edit=$((edit + 1))
  "$gatehouse" change abandon --all --session bench >/dev/null
  "$gatehouse" change start --goal "edit $edit" --allow d1/f150.txt --session bench >/dev/null
  echo "edit $edit" >d1/f150.txt
  "$spawn" 1 "$gatehouse" change finish --files d1/f150.txt --session bench
}
for dirty in 0 2000; do
  for ((n = 0; n < dirty; ++n)); do echo dirt >"d$((n / 20 + 2))/dirt$n.txt"; done
  kept=$rounds rounds=$((rounds < 15 ? rounds : 15))
  alternate change_started --- bare_status
  row "change start / git status, 100,000 files, $dirty dirty ($b us)" "$(ratio "$a" "$b")" '<=' 2.0 times
  alternate change_finished --- bare_status
  row "change finish / git status, 100,000 files, $dirty dirty ($b us)" "$(ratio "$a" "$b")" '<=' 2.0 times
  rounds=$kept
done
cd /
rm -rf "$changing"
