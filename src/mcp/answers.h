#pragma once
// Answers of operations as results of tools (interfaces 1.8).
#include <string>

#include "mcp/translate.h"

namespace gh::mcp {

inline constexpr std::size_t kOutputBudget = 24'000;  // bytes of text and structured content
inline constexpr std::size_t kReportBudget = 200'000;
inline constexpr std::size_t kMaxReasons = 5;

/// Headline, up to five reasons, the next step: for clients that do not read structured content.
std::string compact_text(const Value& document, const ops::Reply&);

/// Leaves out what may be left out until the document fits, and says so in `omitted`.
Map fitted(Map document, std::size_t budget, bool is_change_control);

/// The list `pages` of the document, a page of it.
Rpc<Map> paged(std::string_view key, const Tool&, Map document, const Translated&);

/// Members of `_meta` of an answer of change control: what all of it would cost a reader, before
/// anything was left out (change-control 19.2). Nothing is decided by it.
inline constexpr std::string_view kMetaTokens = "gatehouse/token_estimate",
                                  kMetaTokenEncoding = "gatehouse/token_encoding";
Map token_estimate(const Map& document);

Map tool_result(const Call&, Map document, std::string text, bool is_error);
/// The tool could not do its work.
/// The document of an error, in the words of tools.
Map fault_document(const Error&, std::string_view incident);
Map tool_fault(const Call&, const Error&, std::string_view incident);

}  // namespace gh::mcp
