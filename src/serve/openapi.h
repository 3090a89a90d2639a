#pragma once
// The interface as an OpenAPI document, made from the rows that route its requests.
#include "model/value.h"

namespace gh::serve {

Map openapi_document();

}  // namespace gh::serve
