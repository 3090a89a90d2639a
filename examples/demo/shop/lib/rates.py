"""Exchange rates, one a line: a currency and what one unit of it costs in cents."""


def load_rates(path):
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    rows = [line.split() for line in lines if line.strip()]
    wrong = [row for row in rows if len(row) != 2]
    if wrong:
        raise ValueError(f"{path}: expected a name and cents, found {wrong[0]}")
    names = [row[0] for row in rows]
    cents = [int(row[1]) for row in rows]
    if len(set(names)) != len(names):
        raise ValueError(f"{path}: a name stands there twice")
    return dict(zip(names, cents))


RATES = load_rates("rates.txt")
