#include "a.h"
#define X(a) (a)
struct s { int a; };
#if defined(A)
static int f(struct s *p, int n)
#else
int f(int n)
#endif
{
  for (int i = 0; i < n; ++i) { switch (i) { case 1: break; default: goto out; } }
  do { n--; } while (n && X(n));
out:
  return n ? p->a : -1;
}
