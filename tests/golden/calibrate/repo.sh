printf 'one\ntwo\nthree\n' > a.txt
mkdir src && printf 'int a;\nint b;\nint c;\n' > src/a.c
git add -A && git commit -qm first
for i in 1 2 3 4 5 6 7 8 9; do
  seq $((i * 20)) > "n$i.txt"
  if [ $i -ge 8 ]; then seq 3 > "m$i.txt"; fi
  git add -A && git commit -qm "c$i"
done
