"""doc"""
from __future__ import annotations
import a.b as c, d
from .e import (f, g as h,)

@i.j(k)  # l
async def m[T: int, *U](n, /, o: List[int] = 1, *p, q, **r) -> A[B] | None:
    async with s as t, u: await v
    async for w, *x in y, z: yield w
    return f"{a!r:>{b}}{c=} {d['e']}" 'f' rb'\d' if n < o <= p not in q else lambda r, s=1: -r ** ~s

class A(B, metaclass=C):
    x: int = 1; y, (z, [w]) = *a, b
    def f(self): del self.x, self.y[0:1, ::2]

try: assert a, b
except* (A, B) as e: raise C from e
else: global_ += [a for b, in c if d if not e] + [*a, {b: c, **d}, {e}, (f,), ()]
finally: pass
match a, b:
    case [A.B, -1, *_] | {'c': d, **e} | F(g, h=1 + 2j) as i if (j := k): print(a, *b, **c)
    case _: \
        type(x)
while a and b or not c: break
else: continue
type X[T] = int
