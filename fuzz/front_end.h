#pragma once
// One front end on any bytes: no crash, bounded facts, spans inside the file, the same twice, and
// the same after a way through the cache.
#include <cstdint>
#include <string_view>

#include "analysis/extract.h"
#include "analysis/known_facts.h"
#include "fuzz/require.h"

inline int read_with_front_end(gh::syntax::Language language, const std::uint8_t* data,
                               std::size_t size) {
  using namespace gh::analysis;
  static Extractor extractor;
  if (size > (1u << 16)) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const FileFacts facts = extractor.facts_of(language, text);
  REQUIRE(facts.bytes == size);
  for (const UnitFact& unit : facts.units) {
    REQUIRE(unit.start_line >= 1 && unit.start_line <= unit.end_line &&
            unit.end_line <= facts.lines);
    REQUIRE(unit.incomplete || unit.complexity.cyclomatic >= 1);
  }
  const std::string bytes = facts_to_bytes(facts);
  REQUIRE(facts_to_bytes(extractor.facts_of(language, text)) == bytes);
  const auto again = facts_from_bytes(bytes);
  REQUIRE(again && facts_to_bytes(*again) == bytes);
  return 0;
}
