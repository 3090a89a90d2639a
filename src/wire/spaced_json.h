#pragma once
// JSON texts whose bytes others fixed before us (release-gate 2.2, 25.2). Everything that is ours
// alone is canonical JSON (wire/json.h).
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "wire/json_stream.h"

namespace gh::wire {

/// Sorted keys, ", " and ": ", ASCII with \u escapes, fractions in their shortest form.
std::string spaced_json(const Value&);

/// The same of a value as identity sees it: without these keys at any depth, items of lists in the
/// order of their texts.
std::string identity_json(const Value&, std::span<const std::string_view> dropped = {});
std::string identity_json(const Map&, std::span<const std::string_view> dropped = {});
void append_identity_json(std::string& out, const Value&,
                          std::span<const std::string_view> dropped);
/// The spaced text of a string; null when it is empty.
void append_spaced_json(std::string& out, std::string_view text);
void append_spaced_json_or_null(std::string& out, std::string_view text);

/// Two-space indent, keys in the order of the document, no final newline, UTF-8 as it is.
std::string report_json(const Value&);

/// The same with sorted keys and a final newline: SARIF and packets.
std::string sorted_json(const Value&);

/// Both of them piece by piece, for what is too long to hold. Pieces come one after the other, not
/// always in the same thread; late items are made on all cores.
void write_spaced_json(const Value&, const Sink&);
void write_report_json(const Value&, std::span<const LateItems>, const Sink&);
/// A string of a report, with its quotes.
void append_report_json(std::string& out, std::string_view text);
/// A list of strings as identity sees it.
void append_identity_json(std::string& out, const std::vector<std::string>&);

}  // namespace gh::wire
