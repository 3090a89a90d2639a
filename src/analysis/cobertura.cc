#include "analysis/cobertura.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/xml.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kRootElement = "coverage";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// nullopt unless both are numbers, and that of the line is one.
std::optional<LineHit> line_hit(std::string_view number, std::string_view hits) {
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), line);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  const bool has_hits =
      !hits.empty() && hits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number || line == 0 || !has_hits) return {};
  return LineHit{line, hits.find_first_not_of('0') != std::string_view::npos};
}

/// Takes what counts out of the elements as they come.
class Taker {
 public:
  void start(std::string_view element, wire::XmlAttributes attributes) {
    if (root_.empty()) root_ = printable(element, 60);
    if (element == "class") {
      const std::string_view filename = wire::value_of(attributes, "filename");
      in_class_ = !filename.empty();
      if (in_class_) report_.classes.push_back({.filename = std::string(filename)});
    } else if (element == "line" && in_class_) {
      const auto hit =
          line_hit(wire::value_of(attributes, "number"), wire::value_of(attributes, "hits"));
      if (hit) report_.classes.back().lines.push_back(*hit);
    } else if (element == "source") {
      source_.emplace();
    }
  }

  void end(std::string_view element) {
    if (element == "class") in_class_ = false;
    if (element != "source" || !source_) return;
    if (const std::string_view text = trimmed(*source_); !text.empty())
      report_.sources.emplace_back(text);
    source_.reset();
  }

  void text(std::string_view text) {
    if (source_) *source_ += text;
  }

  Result<CoberturaReport> taken(std::string_view name) {
    if (root_ != kRootElement)
      return fail(Code::xml_invalid,
                  fmt::format("{}: the document is '{}', not '{}'", name, root_, kRootElement));
    if (report_.sources.size() > kMaxCoverageSources)
      return fail(Code::xml_invalid,
                  fmt::format("{}: more than {} sources", name, kMaxCoverageSources));
    return std::move(report_);
  }

 private:
  CoberturaReport report_{};
  std::string root_{};
  bool in_class_ = false;
  std::optional<std::string> source_{};
};

std::string absolute(std::string_view path, std::string_view folder) {
  return path.starts_with('/') ? std::string(path) : fmt::format("{}/{}", folder, path);
}

/// Says which file a name means. Folders are put in order once: a report may hold very many names.
class Resolver {
 public:
  Resolver(const std::vector<std::string>& sources, const CoverageRoot& root)
      : root_(normal_path(root.folder)), exists_(root.exists) {
    add(root_);
    for (const std::string& source : sources)
      add(normal_path(absolute(source, root_)));
  }

  std::optional<std::string> operator()(std::string_view filename) const {
    if (filename.starts_with('/')) return below(root_, normal_path(filename));
    const bool is_plain = normal_path(filename).substr(1) == filename;
    std::optional<std::string> first;
    for (const Folder& folder : folders_) {
      auto candidate = is_plain ? in(folder, filename)
                                : below(root_, normal_path(absolute(filename, folder.path)));
      if (!candidate) continue;
      if (exists_(*candidate)) return candidate;
      if (!first) first = std::move(candidate);
    }
    return first;
  }

 private:
  struct Folder {
    std::string path;
    std::optional<std::string> prefix;  // of paths in it, from the root on; none: not below it
  };

  void add(std::string path) {
    if (std::ranges::find(folders_, path, &Folder::path) != folders_.end()) return;
    auto prefix = path == root_ ? std::optional<std::string>("") : below(root_, path);
    if (prefix && !prefix->empty()) *prefix += '/';
    folders_.push_back({std::move(path), std::move(prefix)});
  }

  static std::optional<std::string> in(const Folder& folder, std::string_view filename) {
    if (!folder.prefix) return {};
    return fmt::format("{}{}", *folder.prefix, filename);
  }

  std::string root_;
  const std::function<bool(std::string_view)>& exists_;
  std::vector<Folder> folders_{};
};

/// Sorted; of several of one line one that is covered, when there is one.
void settle(std::vector<LineHit>& lines) {
  std::ranges::sort(lines, {}, [](const LineHit& l) { return std::tuple(l.line, !l.covered); });
  // clang 14 cannot compile std::ranges::unique of this library.
  const auto rest = std::unique(lines.begin(), lines.end(), [](const LineHit& a, const LineHit& b) {
    return a.line == b.line;
  });
  lines.erase(rest, lines.end());
}

}  // namespace

Result<CoberturaReport> read_cobertura(std::string_view xml, std::string_view name) {
  Taker taker;
  const wire::XmlEvents events{
      .start = [&](std::string_view element,
                   wire::XmlAttributes attributes) { taker.start(element, attributes); },
      .end = [&](std::string_view element) { taker.end(element); },
      .text = [&](std::string_view text) { taker.text(text); }};
  GH_DO(wire::read_xml(xml, name, events, {.max_bytes = kMaxCoverageBytes}));
  return taker.taken(name);
}

std::optional<std::string> below(std::string_view folder, std::string_view path) {
  if (folder.ends_with('/')) folder.remove_suffix(1);
  if (!path.starts_with(folder) || path.size() <= folder.size() + 1 || path[folder.size()] != '/')
    return {};
  return std::string(path.substr(folder.size() + 1));
}

std::optional<std::string> resolved_filename(std::string_view filename,
                                             const std::vector<std::string>& sources,
                                             const CoverageRoot& root) {
  return Resolver(sources, root)(filename);
}

CoveredFiles covered_files(const CoberturaReport& report, const CoverageRoot& root) {
  const Resolver resolver(report.sources, root);
  std::map<std::string_view, std::optional<std::string>> known;
  CoveredFiles out;
  for (const CoberturaReport::Class& one : report.classes) {
    const auto [at, is_new] = known.try_emplace(one.filename);
    if (is_new) at->second = resolver(one.filename);
    if (!at->second) continue;
    std::vector<LineHit>& lines = out[*at->second];
    lines.insert(lines.end(), one.lines.begin(), one.lines.end());
  }
  for (auto& [path, lines] : out)
    settle(lines);
  return out;
}

}  // namespace gh::analysis
