#include "serve/openapi.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "http/message.h"
#include "model/peek.h"
#include "serve/api_table.h"

namespace gh::serve {
namespace {

Map ref(std::string_view name) { return Map{{"$ref", fmt::format("#/components/{}", name)}}; }

Map content(std::string_view media, Map schema) {
  return Map{{std::string(media), Map{{"schema", std::move(schema)}}}};
}

std::vector<std::string> variables_of(std::string_view path) {
  std::vector<std::string> out;
  for (const std::string_view segment : split(path, '/'))
    if (segment.starts_with('{')) out.emplace_back(segment.substr(1, segment.size() - 2));
  return out;
}

Map parameter(std::string_view name, std::string_view in, bool is_required, Map schema) {
  Map out{{"name", name}, {"in", in}, {"required", is_required}};
  if (const Value* text = schema.find("description")) {
    out.set("description", *text);
    schema.erase("description");
  }
  out.set("schema", std::move(schema));
  return out;
}

bool is_in(const List& list, std::string_view word) {
  return std::ranges::find(list, Value(word)) != list.end();
}

/// What is not part of the path goes into the query, or into the body of a POST.
void add_arguments(const Endpoint& endpoint, Map& operation) {
  const Map schema = arguments_of(endpoint);
  const List required = Peek(schema.find("required")).list();
  const auto in_path = variables_of(endpoint.path);
  const bool has_body = endpoint.method == "POST";
  List parameters;
  for (const std::string& name : in_path)
    parameters.emplace_back(parameter(name, "path", true, Map{{"type", "string"}}));
  Map members;
  List needed;
  for (const auto& [name, value] : Peek(schema.find("properties")).map().entries()) {
    if (std::ranges::find(in_path, name) != in_path.end()) continue;
    if (has_body && !endpoint.media.empty() && name == "patch") continue;
    if (has_body && endpoint.media.empty()) {
      members.set(name, value);
      if (is_in(required, name)) needed.emplace_back(name);
      continue;
    }
    parameters.emplace_back(parameter(name, "query", is_in(required, name), *value.as_map()));
  }
  const bool is_of_repo = std::ranges::find(in_path, "r") != in_path.end();
  const bool calls = !endpoint.call.operation.empty() || endpoint.own == Own::events;
  if (calls && !is_of_repo)
    parameters.emplace_back(parameter(
        "repo", "query", false,
        Map{{"type", "string"}, {"description", "which repository, where several are served"}}));
  if (endpoint.own == Own::events)
    parameters.emplace_back(parameter(
        "topics", "query", false,
        Map{{"type", "string"}, {"description", "intents,proposals,runs,releases,audit"}}));
  if (!endpoint.object.empty()) parameters.emplace_back(ref("parameters/IfMatch"));
  if (changes_state(endpoint) && endpoint.own == Own::none)
    parameters.emplace_back(ref("parameters/IdempotencyKey"));
  if (!parameters.empty()) operation.set("parameters", std::move(parameters));
  if (!has_body) return;
  Map body{{"type", "object"}};
  if (endpoint.own == Own::login) {
    members.set("nonce", Map{{"type", "string"}});
    members.set("token", Map{{"type", "string"}});
  }
  body.set("properties", std::move(members));
  if (!needed.empty()) body.set("required", needed);
  operation.set(
      "requestBody",
      Map{{"required", true},
          {"content", endpoint.media.empty() ? content("application/json", std::move(body))
                                             : content(endpoint.media, Map{{"type", "string"}})}});
}

Map responses_of(const Endpoint& endpoint) {
  Map out;
  Map schema{{"type", "object"}};
  if (!endpoint.answer.empty())
    schema.set("description", fmt::format("gatehouse.{}/1", endpoint.answer));
  const bool makes = endpoint.path == "/repos/{r}/proposals" && endpoint.method == "POST";
  if (endpoint.own == Own::logout)
    out.set("204", Map{{"description", "logged out"}});
  else if (endpoint.own == Own::events)
    out.set("200", Map{{"description", "events as they happen"},
                       {"content", content("text/event-stream", Map{{"type", "string"}})}});
  else
    out.set(makes ? "201" : "200",
            Map{{"description", endpoint.summary},
                {"content", content("application/json", std::move(schema))}});
  if (changes_state(endpoint) && endpoint.own == Own::none) out.set("409", ref("responses/Denied"));
  if (!endpoint.object.empty()) {
    out.set("412", ref("responses/Problem"));
    out.set("428", ref("responses/Problem"));
  }
  if (endpoint.access != Access::open) {
    out.set("401", ref("responses/Problem"));
    out.set("403", ref("responses/Problem"));
  }
  out.set("default", ref("responses/Problem"));
  return out;
}

/// get_repos_r_proposals
std::string operation_id(const Endpoint& endpoint) {
  std::string out = http::lower_case(endpoint.method);
  for (const char c : endpoint.path)
    if (c == '/' || c == '.')
      out += '_';
    else if (c != '{' && c != '}')
      out += c;
  return out;
}

Map operation_of(const Endpoint& endpoint) {
  Map out{{"operationId", operation_id(endpoint)}, {"summary", endpoint.summary}};
  add_arguments(endpoint, out);
  out.set("responses", responses_of(endpoint));
  if (endpoint.access == Access::open) {
    out.set("security", List{});
    return out;
  }
  List roles;
  for (const std::string_view role : roles_of(endpoint.access))
    roles.emplace_back(role);
  out.set("x-roles", std::move(roles));
  return out;
}

Map components() {
  const Map text{{"type", "string"}};
  const Map problem{{"type", "object"},
                    {"required", string_list({"type", "title", "status", "detail", "code"})},
                    {"properties", Map{{"type", text},
                                       {"title", text},
                                       {"status", Map{{"type", "integer"}}},
                                       {"detail", text},
                                       {"code", text},
                                       {"instance", text},
                                       {"next", text},
                                       {"verdict", Map{{"type", "object"}}},
                                       {"document", Map{{"type", "object"}}}}}};
  const auto answer = [](std::string_view says) {
    return Map{{"description", says},
               {"content", content("application/problem+json", ref("schemas/Problem"))}};
  };
  Map if_match =
      parameter("If-Match", "header", true,
                Map{{"type", "string"}, {"description", "ETag of the object as it was looked at"}});
  Map key = parameter(
      "Idempotency-Key", "header", false,
      Map{{"type", "string"}, {"description", "a request with the same key is answered once"}});
  return Map{
      {"schemas", Map{{"Problem", problem}}},
      {"responses", Map{{"Problem", answer("it was not done, and why")},
                        {"Denied", answer("a gate said no; its Verdict says why")}}},
      {"parameters", Map{{"IfMatch", std::move(if_match)}, {"IdempotencyKey", std::move(key)}}},
      {"securitySchemes",
       Map{{"token", Map{{"type", "http"}, {"scheme", "bearer"}}},
           {"browser", Map{{"type", "apiKey"}, {"in", "cookie"}, {"name", "__Host-gh"}}}}}};
}

}  // namespace

Map openapi_document() {
  Map paths;
  for (const Endpoint& row : endpoints()) {
    const std::string path(row.path);
    if (paths.find(path) == nullptr) paths.set(path, Map{});
    paths.find(path)->as_map()->set(http::lower_case(row.method), operation_of(row));
  }
  return Map{{"openapi", "3.1.0"},
             {"info", Map{{"title", "Gatehouse"},
                          {"version", kVersion},
                          {"description", "May an agent's change enter the repository, and why."},
                          {"license", Map{{"name", "see LICENSE"}}}}},
             {"servers", List{Map{{"url", kApi}}}},
             {"security", List{Map{{"token", List{}}}, Map{{"browser", List{}}}}},
             {"paths", std::move(paths)},
             {"components", components()}};
}

}  // namespace gh::serve
