int f(int a) { l: switch (int b = a; b) case 1: { g(); } __typeof__(a[{1}]) x; switch (a) do { case 2:; } while (0); }
