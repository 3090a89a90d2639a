import os


@decorated(1)
class A(B):
    """doc"""

    def f(self, a: int = 1, *b, **c) -> str:
        try:
            with open(a) as h:
                return [x for x in h if x] or {k: v for k, v in c.items()}
        except (E, F) as e:
            raise G from e
        finally:
            del self.x[0:1]


async def g():
    match await h():
        case [1, *rest] if rest:
            yield f"{rest!r:>{width}}"
        case _:
            global z
            z += lambda q: q if q else not q
