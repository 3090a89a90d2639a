// One mail as `git format-patch` writes it (proposals 1.1). Everything that is not exactly that is
// refused: a reader of mail that guesses would let two programs see two different diffs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/intake_forms.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

constexpr std::string_view kFrom = "From ", kStamp = " Mon Sep 17 00:00:00 2001";
constexpr std::string_view kSeparator = "---";

tl::unexpected<Finding> invalid(std::string what) {
  return tl::make_unexpected(Finding{PropCode::PROP_MAIL_INVALID, std::move(what)});
}

bool is_from_line(std::string_view line) {
  if (!line.starts_with(kFrom) || !line.ends_with(kStamp)) return false;
  if (line.size() < kFrom.size() + kStamp.size()) return false;
  const std::string_view id = line.substr(kFrom.size(), line.size() - kFrom.size() - kStamp.size());
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (id.size() == 40 || id.size() == 64) && std::ranges::all_of(id, is_hex);
}

bool is_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != line.npos && colon > 0 && std::ranges::all_of(line.substr(0, colon), [](char c) {
           return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' : (c == '-' || (c >= '0' && c <= '9'));
         });
}

struct Headers {
  std::string subject;
  bool is_multipart = false, is_encoded = false;
};

/// The value of `name:`, when the line has that header.
std::optional<std::string_view> value_of(std::string_view line, std::string_view name) {
  if (lower(line.substr(0, name.size())) != name) return {};
  return trimmed(line.substr(name.size()));
}

void note_header(Headers& headers, std::string_view line) {
  if (const auto subject = value_of(line, "subject:")) headers.subject = *subject;
  if (const auto type = value_of(line, "content-type:"))
    headers.is_multipart = lower(*type).starts_with("multipart/");
  if (const auto encoding = value_of(line, "content-transfer-encoding:")) {
    const std::string word = lower(*encoding);
    headers.is_encoded = word != "7bit" && word != "8bit";
  }
}

/// Up to the empty line. A line that begins with a blank continues the one before it.
tl::expected<Headers, Finding> read_headers(Lines& lines) {
  Headers headers;
  bool in_subject = false;
  while (!lines.done() && !lines.current().empty()) {
    const std::string_view line = lines.take();
    const bool continues = line.starts_with(' ') || line.starts_with('\t');
    if (!continues && !is_header_line(line))
      return invalid(fmt::format("'{}' is no mail header", printable(line, 60)));
    if (continues && in_subject) headers.subject += ' ' + std::string(trimmed(line));
    if (continues) continue;
    note_header(headers, line);
    in_subject = value_of(line, "subject:").has_value();
  }
  if (lines.done()) return invalid("the mail ends in its headers");
  lines.take();
  if (headers.is_multipart) return invalid("a multi-part mail is not accepted");
  if (headers.is_encoded) return invalid("an encoded mail body is not accepted");
  if (headers.subject.empty()) return invalid("the mail has no subject");
  return headers;
}

bool is_cover_letter(std::string_view subject) {
  const std::size_t close = subject.find(']');
  if (!subject.starts_with('[') || close == subject.npos) return false;
  const std::string_view inside = subject.substr(1, close - 1);
  for (const std::string_view word : split(inside, ' ')) {
    const std::size_t slash = word.find('/');
    const std::string_view number = word.substr(0, slash);
    if (slash != word.npos && !number.empty() && number.find_first_not_of('0') == number.npos)
      return true;
  }
  return false;
}

tl::expected<std::string, Finding> read_message(Lines& lines) {
  const std::string_view start = lines.rest();
  while (!lines.done() && lines.current() != kSeparator) {
    if (lines.current().starts_with("diff --git "))
      return invalid("the diff begins before the line '---'");
    lines.take();
  }
  if (lines.done()) return invalid("the mail has no line '---' before its diff");
  std::string body(start.substr(0, start.size() - lines.rest().size()));
  lines.take();
  return std::string(trimmed(body));
}

/// " path | 3 +-", " 2 files changed, ...", " create mode 100644 path": each begins with a blank.
tl::expected<void, Finding> skip_diffstat(Lines& lines) {
  while (!lines.done() && !lines.current().empty()) {
    const std::string_view line = lines.take();
    if (!line.starts_with(' '))
      return invalid(fmt::format("'{}' is no line of a diffstat", printable(line, 60)));
  }
  if (lines.done()) return invalid("the mail ends in its diffstat");
  lines.take();
  if (!lines.current().starts_with("diff --git "))
    return invalid("after the diffstat the diff must follow");
  return {};
}

/// The diff up to the last "-- " line, which one version line and empty lines may follow.
tl::expected<std::string_view, Finding> cut_signature(std::string_view text) {
  const std::size_t at = text.rfind("\n-- \n");
  if (at == text.npos) return invalid("the mail does not end in '-- ' and a version line");
  Lines tail(text.substr(at + 5));
  if (tail.done() || tail.current().empty())
    return invalid("after '-- ' the version line is missing");
  tail.take();
  while (!tail.done())
    if (!tail.take().empty()) return invalid("more than one line follows '-- '");
  return text.substr(0, at + 1);
}

bool has_second_mail(std::string_view text) {
  Lines lines(text);
  lines.take();
  while (!lines.done())
    if (lines.take().starts_with(kFrom)) return true;
  return false;
}

}  // namespace

bool is_mail(std::string_view text) { return is_from_line(text.substr(0, text.find('\n'))); }

tl::expected<Intake, Finding> unwrap_mail(std::string_view text) {
  if (has_second_mail(text)) return invalid("there is more than one mail");
  Lines lines(text);
  lines.take();
  auto headers = read_headers(lines);
  if (!headers) return tl::make_unexpected(headers.error());
  if (is_cover_letter(headers->subject)) return invalid("a cover letter has no diff");
  auto body = read_message(lines);
  if (!body) return tl::make_unexpected(body.error());
  if (auto skipped = skip_diffstat(lines); !skipped) return tl::make_unexpected(skipped.error());
  const auto diff = cut_signature(lines.rest());
  if (!diff) return tl::make_unexpected(diff.error());
  return Intake{.form = "mail",
                .diff = std::string(*diff),
                .mail_subject = std::move(headers->subject),
                .mail_body = std::move(*body)};
}

}  // namespace gh::proposal
