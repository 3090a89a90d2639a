#pragma once
// Canonical JSON of documents that are too long to hold as one text.
#include <functional>
#include <string_view>

#include "model/value.h"

namespace gh::wire {

/// Items of one list of a document that are made while they are written: it is too long to hold.
struct LateItems {
  const List* place = nullptr;
  std::size_t count = 0;
  std::function<Value(std::size_t)> item{};
};
using Sink = std::function<void(std::string_view)>;
/// The same bytes as canonical_json, piece by piece.
void write_canonical_json(const Value&, const LateItems&, const Sink&);

}  // namespace gh::wire
