// Resources, prompts and completion: like tools, rows that name an operation.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/data.h"
#include "base/text.h"
#include "mcp/answers.h"
#include "mcp/inside.h"
#include "model/peek.h"
#include "ops/members.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

using ops::text_in;

constexpr std::int64_t kForeverMs = 86'400'000;
constexpr std::size_t kMostCompletions = 100;

tl::unexpected<RpcError> no_resource(const Call& call, const std::string& uri) {
  return refuse(call.era() == Era::legacy ? RpcCode::resource_not_found : RpcCode::invalid_params,
                "there is no such resource", unknown_resource(uri));
}

Result<ops::Reply> run_resource(Inside& inside, Call& call, const FoundResource& found) {
  const Resource& resource = *found.resource;
  const ops::Operation& operation = operation_named(resource.operation);
  Translated asked;
  for (const Argument& argument : resource.arguments)
    GH_DO(put_argument(operation, argument, found.variables.find(argument.name)->second, asked));
  for (const Given& given : resource.given)
    asked.request.options[std::string(given.to)] = {std::string(given.value)};
  GH_TRY(folder, folder_of(inside, call, {}));
  return perform(inside, call, operation, std::move(asked.request), folder, {});
}

std::string content_text(const Resource& resource, const ops::Reply& reply) {
  const bool is_json = resource.mime_type == "application/json";
  if (!is_json && reply.text) return utf8_or_escaped(reply.text(report::Look{}));
  return wire::canonical_json(reply.document);
}

/// Where the candidates of a completer come from: a list in the answer of an operation.
struct Source {
  Completer completer;
  std::string_view operation, list, member;  // member empty: the list holds texts
  std::string_view operand{}, section{};
};
constexpr std::array<Source, 5> kSources{{
    {Completer::rule, "rule_list", "rules", "id"},
    {Completer::run, "list_runs", "runs", "run_id"},
    {Completer::proposal, "list_proposals", "proposals", "patch_id"},
    {Completer::intent, "list_intents", "workspace_intents", "intent_id"},
    {Completer::path, "show_document", "items", "", "latest", "inventory.file_registry.items"},
}};

std::vector<std::string> listed_by(Inside& inside, Call& call, const Source& source) {
  std::vector<std::string> out;
  const auto folder = folder_of(inside, call, {});
  if (!folder) return out;
  ops::RawRequest request;
  if (!source.operand.empty()) request.operands = {std::string(source.operand)};
  if (!source.section.empty()) request.options["section"] = {std::string(source.section)};
  const auto reply =
      perform(inside, call, operation_named(source.operation), std::move(request), *folder, {});
  if (!reply) return out;  // completion never complains
  for (const Value& item : Peek(reply->document)[source.list].list())
    out.emplace_back(item.as_string() != nullptr ? *item.as_string()
                                                 : Peek(item)[source.member].text());
  return out;
}

std::vector<std::string> topics() {
  std::vector<std::string> out;
  for (const ops::Operation& operation : ops::operations())
    if (!operation.hidden && !contains(operation.words, " ")) out.emplace_back(operation.words);
  return out;
}

std::vector<std::string> candidates(Inside& inside, Call& call, Completer completer) {
  if (completer == Completer::topic) return topics();
  const auto* source = std::ranges::find(kSources, completer, &Source::completer);
  if (source == kSources.end() || inside.options.has_fixtures) return {};
  return listed_by(inside, call, *source);
}

/// Null: there is nothing of that name to complete.
std::optional<Completer> completer_of(const Catalogue& catalogue, const Map& ref,
                                      const std::string& argument) {
  if (text_in(ref, "type") == "ref/prompt") {
    const std::string name = text_in(ref, "name");
    const auto prompt = std::ranges::find(catalogue.prompts, name, &Prompt::name);
    if (prompt == catalogue.prompts.end()) return std::nullopt;
    const auto known = std::ranges::find(prompt->arguments, argument, &PromptArgument::name);
    return known == prompt->arguments.end() ? std::nullopt : std::optional(known->completer);
  }
  const std::string uri = text_in(ref, "uri");
  const auto resource = std::ranges::find(catalogue.resources, uri, &Resource::uri);
  if (text_in(ref, "type") != "ref/resource" || resource == catalogue.resources.end())
    return std::nullopt;
  return resource->completer;
}

std::string filled(std::string_view text, const Prompt& prompt, const Map& arguments) {
  std::string out(text);
  if (!prompt.file.empty()) out += data::find(prompt.file);
  for (const PromptArgument& argument : prompt.arguments) {
    const std::string hole = fmt::format("{{{}}}", argument.name);
    std::string value = text_in(arguments, argument.name);
    if (value.empty()) value = "(not given)";
    for (std::size_t at = out.find(hole); at != std::string::npos;
         at = out.find(hole, at + value.size()))
      out.replace(at, hole.size(), value);
  }
  return out;
}

}  // namespace

Map unknown_resource(const std::string& uri) {
  return {{"uri", uri}, {"code", to_string(Code::resource_unknown)}};
}

Rpc<Map> read_resource(Inside& inside, Call& call) {
  const std::string uri = text_in(call.params(), "uri");
  const FoundResource found = find_resource(inside.catalogue, uri);
  if (found.resource == nullptr) return no_resource(call, uri);
  const Resource& resource = *found.resource;
  if (resource.read != nullptr) {
    auto content = resource.read(call, uri);
    if (!content) return content;
    return Map{{"contents", List{std::move(*content)}}};
  }
  auto reply = run_resource(inside, call, found);
  if (!reply && class_of(reply.error().code) == CodeClass::internal)
    return incident(inside, reply.error());
  if (!reply && is_template(resource)) return no_resource(call, uri);
  if (reply && resource.is_named_by_digest && reply->exit != ops::ExitCode::done)
    return no_resource(call, uri);  // a document that says so is none of that digest
  if (!reply)
    return refuse(RpcCode::internal_error, reply.error().message,
                  Map{{"uri", uri}, {"code", to_string(reply.error().code)}});
  Map out{{"contents", List{Map{{"uri", uri},
                                {"mimeType", resource.mime_type},
                                {"text", content_text(resource, *reply)}}}}};
  if (resource.is_named_by_digest && call.era() == Era::modern) out.set("ttlMs", kForeverMs);
  return out;
}

Rpc<Map> get_prompt(Inside& inside, Call& call) {
  const std::string name = text_in(call.params(), "name");
  const auto prompt = std::ranges::find(inside.catalogue.prompts, name, &Prompt::name);
  if (prompt == inside.catalogue.prompts.end())
    return refuse(RpcCode::invalid_params,
                  fmt::format("there is no prompt '{}'", printable(name, 100)));
  const Value* given = call.params().find("arguments");
  const Map arguments = given != nullptr && given->as_map() != nullptr ? *given->as_map() : Map{};
  for (const PromptArgument& argument : prompt->arguments)
    if (argument.is_required && text_in(arguments, argument.name).empty())
      return refuse(RpcCode::invalid_params,
                    fmt::format("argument '{}' is required", argument.name));
  if (prompt->run != nullptr) return prompt->run(call, arguments);
  return Map{{"description", prompt->description},
             {"messages",
              List{Map{{"role", "user"},
                       {"content", Map{{"type", "text"},
                                       {"text", filled(prompt->text, *prompt, arguments)}}}}}}};
}

Rpc<Map> complete(Inside& inside, Call& call) {
  const Value whole(call.params());
  const Map& ref = Peek(whole)["ref"].map();
  const std::string argument{Peek(whole)["argument"]["name"].text()};
  const std::string_view begun = Peek(whole)["argument"]["value"].text();
  const auto completer = completer_of(inside.catalogue, ref, argument);
  if (!completer)
    return refuse(RpcCode::invalid_params, "ref or argument names nothing that can be completed");
  std::vector<std::string> values = candidates(inside, call, *completer);
  std::erase_if(values, [&](const std::string& value) { return !value.starts_with(begun); });
  const auto total = static_cast<std::int64_t>(values.size());
  const bool has_more = values.size() > kMostCompletions;
  if (has_more) values.resize(kMostCompletions);
  return Map{{"completion",
              Map{{"values", string_list(values)}, {"total", total}, {"hasMore", has_more}}}};
}

}  // namespace gh::mcp
