#pragma once
// Canonical JSON of documents that are too long to hold as one text.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::wire {

/// Items of one list of a document that are made while they are written: it is too long to hold.
struct LateItems {
  const List* place = nullptr;
  std::size_t count = 0;
  std::function<void(std::size_t, std::string&)> write{};  // appends canonical JSON
};
using Sink = std::function<void(std::string_view)>;
/// The same bytes as canonical_json, piece by piece.
void write_canonical_json(const Value&, std::span<const LateItems>, const Sink&);

/// For those who write an item themselves: a string with its quotes, and numbers.
void append_canonical(std::string& out, std::string_view text);
void append_canonical(std::string& out, std::uint64_t number);
void append_canonical(std::string& out, Decimal number);

}  // namespace gh::wire
