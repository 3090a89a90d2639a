#pragma once
// The JSON Schemas that are compiled in, and the contract that lists them.
#include <string>
#include <vector>

#include "model/value.h"

namespace gh::ops {

std::vector<std::string> schema_names();  // "verdict", ...; byte order
Map contract_document();                  // gatehouse.contract/1

}  // namespace gh::ops
