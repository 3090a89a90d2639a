// What the message of a commit says of the gate, held against what is kept. Anybody can write a
// message; hooks that check it can be skipped.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/letters.h"
#include "base/text.h"
#include "base/trailers.h"
#include "ops/git_hook.h"
#include "ops/members.h"
#include "ops/receipt_find.h"

namespace gh::ops {
namespace {

constexpr std::string_view kBypassed = "bypassed";

bool is_bypassed(const std::string& decision) { return lower_ascii(decision) == kBypassed; }

/// Encodings whose letters stand in the bytes of a message as they are shown. In any other one git
/// shows lines that are not in the bytes that are judged.
// table: commit_encodings
constexpr std::array<std::string_view, 19> kEncodings{
    "utf-8",       "utf8",  "us-ascii", "ascii", "iso-8859-", "iso8859", "latin",
    "windows-125", "cp125", "koi8-",    "euc-",  "gb2312",    "gbk",     "gb18030",
    "big5",        "shift", "sjis",     "cp932", "iso_8859-"};

bool is_readable(std::string_view encoding) {
  const std::string name = lower_ascii(encoding);
  return name.empty() || std::ranges::any_of(kEncodings, [&](std::string_view known) {
           return std::string_view(name).starts_with(known);
         });
}

/// No reader of trailers is asked about more.
constexpr std::size_t kMaxMessage = 1u << 20;

Result<TrailerAnswer> check_receipt(git::Repo& repo, store::Ledger* ledger,
                                    const git::Commit& commit, const std::string& notes) {
  if (commit.message.size() > kMaxMessage)
    return TrailerAnswer{.defect = "its message has more than 1 MiB"};
  if (!is_readable(commit.encoding))
    return TrailerAnswer{.defect =
                             fmt::format("its message is written in {}, which nobody here reads",
                                         printable(commit.encoding, 40))};
  const auto receipts = trailers(commit.message, TrailerKey::receipt);
  if (receipts.empty()) {
    if (!claims_acceptance(commit.message)) return TrailerAnswer{};
    return TrailerAnswer{
        .defect = fmt::format("it says {} and names no receipt", to_string(TrailerKey::decision))};
  }
  if (receipts.size() > 1)
    return TrailerAnswer{.defect = fmt::format("{} stands there {} times",
                                               to_string(TrailerKey::receipt), receipts.size())};
  GH_TRY(found, find_receipt(repo, ledger, {.named = commit.id.hex(), .notes = notes}));
  if (found.status == Lookup::not_found) return TrailerAnswer{.is_known = false};
  if (found.status != Lookup::ok) return TrailerAnswer{.defect = found.message};
  if (found.binding == runs::Binding::other)
    return TrailerAnswer{.defect = fmt::format("receipt {} was given for another change",
                                               printable(found.digest, 100))};
  if (text_in(found.receipt, "decision") != "allow")
    return TrailerAnswer{.defect = fmt::format("receipt {} lets nothing in", found.digest)};
  return TrailerAnswer{};
}

}  // namespace

bool claims_acceptance(std::string_view message) {
  return !std::ranges::all_of(trailers(message, TrailerKey::decision), is_bypassed);
}

Result<TrailerAnswer> check_trailers(git::Repo& repo, store::Ledger* ledger,
                                     const git::Commit& commit, const std::string& notes) {
  GH_TRY(out, check_receipt(repo, ledger, commit, notes));
  if (commit.message.size() > kMaxMessage) return std::move(out);
  out.says_bypassed =
      std::ranges::any_of(trailers(commit.message, TrailerKey::decision), is_bypassed);
  return std::move(out);
}

}  // namespace gh::ops
