#pragma once
// What a plain scalar means. Private to wire.
#include <string_view>

#include "model/value.h"
#include "wire/yaml.h"

namespace gh::wire {

/// strict: YAML 1.2 core schema, short fractions as Decimal. compatible: YAML 1.1, where a date
/// stays text (Value has no dates) and every fraction a Number with its source text.
Value plain_scalar(std::string_view text, YamlDialect);

}  // namespace gh::wire
