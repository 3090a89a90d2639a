#pragma once
// A property that does not hold ends the process, which is how a fuzzer learns of it.
#include <cstdio>
#include <cstdlib>

#define REQUIRE(property)                                                                \
  do {                                                                                   \
    if (!(property)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #property); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
