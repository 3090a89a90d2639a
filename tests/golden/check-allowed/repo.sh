printf 'one\ntwo\nthree\n' > a.txt
mkdir src && printf 'int a;\nint b;\nint c;\n' > src/a.c
git add -A && git commit -qm first
