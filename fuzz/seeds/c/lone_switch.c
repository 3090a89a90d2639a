int f(int a) { switch (a) case 1: case b ? 2 : 3: default: g(); typeof(a) x; typeof (h(1)) y; return 0; }
