"""Exchange rates, one a line: a currency and what one unit of it costs in cents."""


def load_rates(path):
    rates = {}
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split()
            if not words:
                continue
            if len(words) != 2:
                raise ValueError(f"{path}:{number}: expected a name and cents")
            name, cents = words
            rates[name] = int(cents)
    return rates


RATES = load_rates("rates.txt")
