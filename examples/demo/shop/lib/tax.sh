# Tax arithmetic. Everything is in whole cents; nothing here uses fractions.

tax_percent=20

# with_tax NET: NET plus tax, rounded down.
with_tax() {
  echo $(($1 + $1 * tax_percent / 100))
}

# tax_of NET: the tax alone.
tax_of() {
  echo $(($1 * tax_percent / 100))
}
