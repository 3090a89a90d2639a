// A canonical report as it is read again: what is missing or of another type reads as empty.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/short_ids.h"
#include "model/value.h"

namespace gh::analysis {

const Value* member(const Value& document, std::initializer_list<std::string_view> path);
const Map& map_in(const Value& document, std::initializer_list<std::string_view> path);
const List& list_in(const Value& document, std::initializer_list<std::string_view> path);
/// The list at a path whose members are joined by '/'; nullptr when it is not there.
const List* list_at(const Value& document, std::string_view path);
List* list_at(Value& document, std::string_view path);
/// Views into the document.
std::string_view text_in(const Value& document, std::string_view key);
std::optional<std::int64_t> int_in(const Value& document, std::string_view key);

/// Every group that counts, in the order of the report; suppressed ones do not.
std::vector<const Value*> finding_groups(const Value& report);
/// Every group that a comment asks to leave out; `rule` says by which rule.
std::vector<const Value*> suppressed_groups(const Value& report);
/// The items of a metric family.
const List& metric_items(const Value& report, std::string_view family);
/// Those that a comment asks to leave out.
const List& suppressed_items(const Value& report, std::string_view family);
/// Of an extract, which does not hold all of them: how many there are by list, novelty and
/// severity, and the ids of all of them, a text with kIdEnd behind each.
inline constexpr std::string_view kCountedMember = "counted", kIdsMember = "ids";
/// Short ids of these groups of the report, unique among all that it knows of.
ShortIds short_ids_of(const Value& report, const std::vector<const Value*>& groups);
/// Places of a finding, each path once, sorted.
std::vector<std::string> paths_of(const Value& group);

/// SHA-256 of the canonical JSON of the digested sections: without `integrity`, `derived` and
/// `meta.runtime`.
std::string report_digest(const Value& report);
/// What `integrity` says that digest is; empty when it says nothing.
std::string stated_digest(const Value& report);

}  // namespace gh::analysis
