// The catalogue of the conformance suites (interfaces 1.11). It goes through the same dispatcher as
// the product's and never meets a repository.
#include <array>
#include <thread>

#include <fmt/format.h>

#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "model/peek.h"
#include "ops/members.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

using ops::text_in;

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;
constexpr auto kBetweenMessages = 50ms;  // the suites look at the order of arrival

constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg==";
constexpr std::string_view kWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

Map text_block(std::string text) { return Map{{"type", "text"}, {"text", std::move(text)}}; }
Map image_block() { return Map{{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
Map resource_block(std::string_view uri, std::string_view mime, std::string_view text) {
  return Map{{"type", "resource"},
             {"resource", Map{{"uri", uri}, {"mimeType", mime}, {"text", text}}}};
}
Map content(List blocks) { return Map{{"content", std::move(blocks)}}; }
Map said(std::string text) { return content({text_block(std::move(text))}); }

Rpc<Map> simple_text(Call&, const Map&) {
  return said("This is a simple text response for testing.");
}
Rpc<Map> image(Call&, const Map&) { return content({image_block()}); }
Rpc<Map> audio(Call&, const Map&) {
  return content({Map{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
}
Rpc<Map> embedded(Call&, const Map&) {
  return content({resource_block("test://embedded-resource", "text/plain",
                                 "This is an embedded resource content.")});
}
Rpc<Map> several_types(Call&, const Map&) {
  return content({text_block("Multiple content types test:"), image_block(),
                  resource_block("test://mixed-content-resource", "application/json",
                                 "{\"test\":\"data\",\"value\":123}")});
}
Rpc<Map> with_logging(Call& call, const Map&) {
  for (const std::string_view step :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    call.log(LogLevel::info, "fixtures", step);
    std::this_thread::sleep_for(kBetweenMessages);
  }
  return said("Tool with logging executed successfully");
}
Rpc<Map> with_error(Call&, const Map&) {
  Map out = said("This tool intentionally returns an error for testing");
  out.set("isError", true);
  return out;
}
Rpc<Map> with_progress(Call& call, const Map&) {
  for (const std::int64_t done : {0, 50, 100}) {
    call.progress(done, 100, fmt::format("{} of 100", done));
    std::this_thread::sleep_for(110ms);
  }
  return said("Tool with progress executed successfully");
}

Map elicit(std::string_view message, Map properties, std::vector<std::string> required = {}) {
  Map schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema.set("required", string_list(required));
  return Map{{"message", message}, {"requestedSchema", std::move(schema)}};
}
Map typed(std::string_view type, std::string_view description) {
  return Map{{"type", type}, {"description", description}};
}
Map sample(std::string_view prompt) {
  return Map{
      {"messages", List{Map{{"role", "user"}, {"content", text_block(std::string(prompt))}}}},
      {"maxTokens", 100}};
}

tl::unexpected<RpcError> lacks(std::string_view capability) {
  return refuse(RpcCode::missing_client_capability, "the client does not offer what this needs",
                Map{{"requiredCapabilities", Map{{std::string(capability), Map{}}}}});
}

std::string answered(const std::optional<Value>& answer) {
  if (!answer) return "nothing";
  return wire::canonical_json(plain(*answer));
}

Rpc<Map> sampling(Call& call, const Map& arguments) {
  if (!call.client_offers("sampling")) return lacks("sampling");
  const auto answer = call.input("sample", "sampling/createMessage",
                                 sample(text_in(arguments, "prompt")), kPatience);
  if (!answer) return said("LLM response: none");
  return said(fmt::format("LLM response: {}", Peek(*answer)["content"]["text"].text()));
}
Rpc<Map> elicitation(Call& call, const Map& arguments) {
  const auto answer = call.input("user", "elicitation/create",
                                 elicit(text_in(arguments, "message"),
                                        Map{{"username", typed("string", "User's response")},
                                            {"email", typed("string", "User's email address")}},
                                        {"username", "email"}),
                                 kPatience);
  return said(fmt::format("User response: {}", answered(answer)));
}
Rpc<Map> elicitation_defaults(Call& call, const Map&) {
  const auto with = [](Map schema, Value value) {
    schema.set("default", std::move(value));
    return schema;
  };
  Map status = with(typed("string", "Status"), "active");
  status.set("enum", string_list({"active", "inactive", "pending"}));
  const auto answer =
      call.input("defaults", "elicitation/create",
                 elicit("Please review and update the form fields with defaults",
                        Map{{"name", with(typed("string", "Name"), "John Doe")},
                            {"age", with(typed("integer", "Age"), 30)},
                            {"score", with(typed("number", "Score"), Decimal{955'000})},
                            {"status", std::move(status)},
                            {"verified", with(typed("boolean", "Verified"), true)}}),
                 kPatience);
  return said(fmt::format("Elicitation completed: {}", answered(answer)));
}

List titled(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  List out;
  for (const auto& [value, title] : values)
    out.emplace_back(Map{{"const", value}, {"title", title}});
  return out;
}
Rpc<Map> elicitation_enums(Call& call, const Map&) {
  const List options =
      titled({{"value1", "First Option"}, {"value2", "Second Option"}, {"value3", "Third Option"}});
  const Value plain_options = string_list({"option1", "option2", "option3"});
  const Map properties{
      {"untitledSingle", Map{{"type", "string"}, {"enum", plain_options}}},
      {"titledSingle", Map{{"type", "string"}, {"oneOf", options}}},
      {"legacyEnum", Map{{"type", "string"},
                         {"enum", string_list({"opt1", "opt2", "opt3"})},
                         {"enumNames", string_list({"Option One", "Option Two", "Option Three"})}}},
      {"untitledMulti",
       Map{{"type", "array"}, {"items", Map{{"type", "string"}, {"enum", plain_options}}}}},
      {"titledMulti", Map{{"type", "array"}, {"items", Map{{"anyOf", options}}}}}};
  const auto answer = call.input("enums", "elicitation/create",
                                 elicit("Please select options", properties), kPatience);
  return said(fmt::format("Elicitation completed: {}", answered(answer)));
}
Rpc<Map> schema_kept(Call&, const Map&) { return said("ok"); }
Rpc<Map> reconnection(Call& call, const Map&) {
  call.outlet().suspend();
  std::this_thread::sleep_for(kBetweenMessages);
  return said("Reconnection test completed successfully");
}

// Modern era.
Rpc<Map> missing_capability(Call& call, const Map&) {
  return call.client_offers("sampling") ? Rpc<Map>(said("sampling is offered")) : lacks("sampling");
}
Rpc<Map> streaming_elicitation(Call& call, const Map&) {
  const auto answer =
      call.input("user_name", "elicitation/create",
                 elicit("What is your name?", Map{{"name", typed("string", "Name")}}), kPatience);
  return said(answered(answer));
}
Rpc<Map> logging_tool(Call& call, const Map&) {
  call.log(LogLevel::info, "fixtures", "a line of log");
  return said("logged if that was asked for");
}

/// The server behind a fixture, for those that change a list: the herald is found by the call.
Rpc<Map> trigger_tools(Call& call, const Map&) {
  call.list_changed("tools");
  return said("tools changed");
}
Rpc<Map> trigger_prompts(Call& call, const Map&) {
  call.list_changed("prompts");
  return said("prompts changed");
}

std::optional<Value> ask_name(Call& call) {
  return call.input("user_name", "elicitation/create",
                    elicit("What is your name?", Map{{"name", typed("string", "Name")}}, {"name"}),
                    kPatience);
}
/// An answer without the member that was asked for is none: it is asked for again.
std::string name_of(Call& call) {
  const auto answer = ask_name(call);
  if (!answer) return {};
  const std::string name{Peek(*answer)["content"]["name"].text()};
  if (name.empty()) call.ask_again("user_name");
  return name;
}
Rpc<Map> needs_elicitation(Call& call, const Map&) {
  const std::string name = name_of(call);
  return said(fmt::format("Hello, {}!", name));
}
Rpc<Map> needs_sampling(Call& call, const Map&) {
  const auto answer = call.input("capital_question", "sampling/createMessage",
                                 sample("What is the capital of France?"), kPatience);
  return said(answered(answer));
}
Rpc<Map> needs_roots(Call& call, const Map&) {
  return said(answered(call.input("client_roots", "roots/list", Map{}, kPatience)));
}
Map confirm() { return elicit("Please confirm", Map{{"ok", typed("boolean", "Go on?")}}, {"ok"}); }
Rpc<Map> needs_state(Call& call, const Map&) {
  call.note("state-ok");
  const auto answer = call.input("confirm", "elicitation/create", confirm(), kPatience);
  return said(answer ? "confirmed: " + call.noted() : "not confirmed");
}
Rpc<Map> needs_several(Call& call, const Map&) {
  const auto name = ask_name(call);
  const auto greeting =
      call.input("greeting", "sampling/createMessage", sample("Write a greeting."), kPatience);
  const auto roots = call.input("client_roots", "roots/list", Map{}, kPatience);
  return said(answered(name) + answered(greeting) + answered(roots));
}
Rpc<Map> needs_two_rounds(Call& call, const Map&) {
  if (call.noted().empty()) {
    const auto name =
        call.input("step1", "elicitation/create",
                   elicit("Step 1: your name?", Map{{"name", typed("string", "Name")}}), kPatience);
    if (!name) return said("step 1 is open");
    call.note(std::string(Peek(*name)["content"]["name"].text()) + " ");
  } else {
    call.note(call.noted());
  }
  const auto colour = call.input(
      "step2", "elicitation/create",
      elicit("Step 2: your colour?", Map{{"color", typed("string", "Colour")}}), kPatience);
  return said(fmt::format("{}likes {}", call.noted(), answered(colour)));
}
Rpc<Map> needs_declared(Call& call, const Map&) {
  const auto sampled =
      call.input("sample", "sampling/createMessage", sample("Say hello."), kPatience);
  const auto asked = call.input("confirm", "elicitation/create", confirm(), kPatience);
  return said(answered(sampled) + answered(asked));
}
Rpc<Map> header_tool(Call&, const Map& arguments) {
  return said(fmt::format("region {}", text_in(arguments, "region")));
}

constexpr std::string_view kNone = R"({"type":"object","properties":{}})";
constexpr std::string_view kPromptIn =
    R"({"type":"object","properties":{"prompt":{"type":"string","description":"The prompt to send"}},"required":["prompt"]})";
constexpr std::string_view kMessageIn =
    R"({"type":"object","properties":{"message":{"type":"string","description":"The message to show"}},"required":["message"]})";
constexpr std::string_view kRegionIn =
    R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]})";
constexpr std::string_view kSchemaIn =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false})";

constexpr Tool fixture(std::string_view name, std::string_view description,
                       Rpc<Map> (*run)(Call&, const Map&), std::string_view schema = kNone) {
  return {.name = name,
          .title = name,
          .description = description,
          .profile = Profile::minimal,
          .run = run,
          .input_schema = schema};
}

constexpr std::array kTools{
    fixture("test_simple_text", "Answers with one line of text", simple_text),
    fixture("test_image_content", "Answers with an image", image),
    fixture("test_audio_content", "Answers with a sound", audio),
    fixture("test_embedded_resource", "Answers with an embedded resource", embedded),
    fixture("test_multiple_content_types", "Answers with text, image and resource", several_types),
    fixture("test_tool_with_logging", "Logs three lines while it runs", with_logging),
    fixture("test_error_handling", "Always fails", with_error),
    fixture("test_tool_with_progress", "Tells of its progress", with_progress),
    fixture("test_sampling", "Asks the client's model", sampling, kPromptIn),
    fixture("test_elicitation", "Asks the user", elicitation, kMessageIn),
    fixture("test_elicitation_sep1034_defaults", "Asks with defaults", elicitation_defaults),
    fixture("test_elicitation_sep1330_enums", "Asks with choices", elicitation_enums),
    fixture("json_schema_2020_12_tool", "Has a schema with every keyword", schema_kept, kSchemaIn),
    fixture("test_reconnection", "Closes its stream before it answers", reconnection),
    fixture("test_missing_capability", "Needs sampling", missing_capability),
    fixture("test_streaming_elicitation", "Asks the user by its answer", streaming_elicitation),
    fixture("test_logging_tool", "Logs where logs were asked for", logging_tool),
    fixture("test_trigger_tool_change", "Says that the tools changed", trigger_tools),
    fixture("test_trigger_prompt_change", "Says that the prompts changed", trigger_prompts),
    fixture("test_input_required_result_elicitation", "Needs a name", needs_elicitation),
    fixture("test_input_required_result_sampling", "Needs an answer of a model", needs_sampling),
    fixture("test_input_required_result_list_roots", "Needs the roots", needs_roots),
    fixture("test_input_required_result_request_state", "Needs its state back", needs_state),
    fixture("test_input_required_result_multiple_inputs", "Needs three things", needs_several),
    fixture("test_input_required_result_multi_round", "Needs two rounds", needs_two_rounds),
    fixture("test_input_required_result_tampered_state", "Needs its own state", needs_state),
    fixture("test_input_required_result_capabilities", "Asks for what is offered", needs_declared),
    fixture("test_x_mcp_header", "Has an argument in a header", header_tool, kRegionIn),
};

Map text_content(std::string_view uri, std::string_view text) {
  return Map{{"uri", uri}, {"mimeType", "text/plain"}, {"text", text}};
}
Rpc<Map> static_text(Call&, std::string_view uri) {
  return text_content(uri, "This is the content of the static text resource.");
}
Rpc<Map> static_binary(Call&, std::string_view uri) {
  return Map{{"uri", uri}, {"mimeType", "image/png"}, {"blob", kPng}};
}
Rpc<Map> watched(Call&, std::string_view uri) { return text_content(uri, "Watched resource"); }
Rpc<Map> by_template(Call&, std::string_view uri) {
  const std::string id(find_resource(fixture_catalogue(), uri).variables.find("id")->second);
  return Map{{"uri", uri},
             {"mimeType", "application/json"},
             {"text", wire::canonical_json(Map{
                          {"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}})}};
}
constexpr std::array kResources{
    Resource{.uri = "test://static-text",
             .name = "static-text",
             .title = "Static text",
             .description = "A text that never changes",
             .mime_type = "text/plain",
             .read = static_text},
    Resource{.uri = "test://static-binary",
             .name = "static-binary",
             .title = "Static image",
             .description = "An image that never changes",
             .mime_type = "image/png",
             .read = static_binary},
    Resource{.uri = "test://watched-resource",
             .name = "watched-resource",
             .title = "Watched",
             .description = "Something to subscribe to",
             .mime_type = "text/plain",
             .can_change = true,
             .read = watched},
    Resource{.uri = "test://template/{id}/data",
             .name = "template-data",
             .title = "Template",
             .description = "Data of an id",
             .mime_type = "application/json",
             .read = by_template},
};

Map prompt_of(List blocks) {
  List messages;
  for (Value& block : blocks)
    messages.emplace_back(Map{{"role", "user"}, {"content", std::move(block)}});
  return Map{{"messages", std::move(messages)}};
}
Rpc<Map> simple_prompt(Call&, const Map&) {
  return prompt_of({text_block("This is a simple prompt for testing.")});
}
Rpc<Map> argument_prompt(Call&, const Map& arguments) {
  return prompt_of(
      {text_block(fmt::format("Prompt with arguments: arg1='{}', arg2='{}'",
                              text_in(arguments, "arg1"), text_in(arguments, "arg2")))});
}
Rpc<Map> resource_prompt(Call&, const Map& arguments) {
  return prompt_of({resource_block(text_in(arguments, "resourceUri"), "text/plain",
                                   "Embedded resource content for testing."),
                    text_block("Please process the embedded resource above.")});
}
Rpc<Map> image_prompt(Call&, const Map&) {
  return prompt_of({image_block(), text_block("Please analyze the image above.")});
}
Rpc<Map> asking_prompt(Call& call, const Map&) {
  const auto answer = call.input(
      "user_context", "elicitation/create",
      elicit("What is this about?", Map{{"context", typed("string", "Context")}}), kPatience);
  return prompt_of({text_block(fmt::format("Context: {}", answered(answer)))});
}

constexpr std::array kTwoArguments{PromptArgument{"arg1", "First test argument", true},
                                   PromptArgument{"arg2", "Second test argument", true}};
constexpr std::array kUriArgument{PromptArgument{"resourceUri", "URI of the resource", true}};
constexpr std::array kPrompts{
    Prompt{.name = "test_simple_prompt",
           .title = "Simple",
           .description = "A simple prompt",
           .run = simple_prompt},
    Prompt{.name = "test_prompt_with_arguments",
           .title = "With arguments",
           .description = "A prompt with two arguments",
           .arguments = kTwoArguments,
           .run = argument_prompt},
    Prompt{.name = "test_prompt_with_embedded_resource",
           .title = "With a resource",
           .description = "A prompt with a resource",
           .arguments = kUriArgument,
           .run = resource_prompt},
    Prompt{.name = "test_prompt_with_image",
           .title = "With an image",
           .description = "A prompt with an image",
           .run = image_prompt},
    Prompt{.name = "test_input_required_result_prompt",
           .title = "Asking",
           .description = "A prompt that asks first",
           .run = asking_prompt},
};

constexpr Catalogue kCatalogue{.server_name = "gatehouse-test-fixtures",
                               .title = "Gatehouse test fixtures",
                               .instructions = "Fixtures of the conformance suites.",
                               .tools = kTools,
                               .resources = kResources,
                               .prompts = kPrompts};

}  // namespace

const Catalogue& fixture_catalogue() { return kCatalogue; }

}  // namespace gh::mcp
