#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "base/unicode.h"
#include "model/patch_rule.h"
#include "ops/describe.h"
#include "ops/global_options.h"
#include "ops/release_contract.h"
#include "ops/schemas.h"
#include "ops/support_ops.h"
#include "report/columns.h"
#include "report/patch_document.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kFolder = "schemas/";
constexpr std::string_view kEnding = ".schema.json";

Value words_value(std::string_view spaced) {
  List out;
  for (std::string_view word : split(spaced, ' '))
    if (!word.empty()) out.emplace_back(word);
  return out;
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Value option_value(const Option& option) {
  const bool is_flag = option.type == OptionType::flag;
  return Map{
      {"name", fmt::format("--{}", option.name)},
      {"letter", option.letter == 0 ? Value() : Value(fmt::format("-{}", option.letter))},
      {"type", to_string(option.type)},
      {"value", text_or_null(option.value_name)},
      {"choices", words_value(option.choices)},
      {"default", is_flag ? Value(option.fallback == "true") : text_or_null(option.fallback)},
      {"help", option.help}};
}

Value options_value(std::span<const Option> options) {
  List out;
  for (const Option& option : options)
    out.push_back(option_value(option));
  return out;
}

std::string_view arity_name(Arity arity) {
  switch (arity) {
    case Arity::required:
      return "required";
    case Arity::optional:
      return "optional";
    case Arity::many:
      return "many";
  }
  return {};
}

Value operands_value(std::span<const Operand> operands) {
  List out;
  for (const Operand& operand : operands)
    out.push_back(Map{{"name", operand.name},
                      {"arity", arity_name(operand.arity)},
                      {"choices", words_value(operand.choices)},
                      {"help", operand.help}});
  return out;
}

Value codes_value(std::string_view spaced) {
  List out;
  for (std::string_view word : split(spaced, ' '))
    for (const ExitCodeRow& row : exit_codes())
      if (word == fmt::format("{}", static_cast<int>(row.code)))
        out.emplace_back(static_cast<int>(row.code));
  return out;
}

Value command_value(const Operation& op) {
  List examples;
  for (const Example& example : op.examples)
    examples.push_back(Map{{"command", example.command}, {"says", example.says}});
  return Map{{"name", op.name},
             {"command", op.words},
             {"group", op.group},
             {"effect", to_string(op.effect)},
             {"summary", op.summary},
             {"operands", operands_value(op.operands)},
             {"options", options_value(op.options)},
             {"formats", words_value(op.ctcp ? "text json ctcp" : "text json")},
             {"exit_codes", codes_value(op.exit_codes)},
             {"examples", std::move(examples)}};
}

Value commands_value() {
  List out;
  for (const Operation& op : operations())
    if (!op.hidden) out.push_back(command_value(op));
  return out;
}

Value rules_value() {
  List out;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const Stage stage = stage_of(step_of(rule));
    out.push_back(Map{{"id", to_string(rule)},
                      {"gate", to_string(step_of(rule))},
                      {"stage", to_string(stage)},
                      {"code", code_of(stage)},
                      {"alarm", is_alarm(rule)},
                      {"advice", advice(rule)}});
  }
  return out;
}

Value errors_value() {
  List out;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    out.push_back(Map{{"code", to_string(code)},
                      {"exit_code", static_cast<int>(exit_code(class_of(code)))},
                      {"help", gh::help(code)}});
  }
  return out;
}

Value exit_codes_value() {
  List out;
  for (const ExitCodeRow& row : exit_codes())
    out.push_back(Map{{"code", static_cast<int>(row.code)}, {"meaning", row.meaning}});
  return out;
}

const Value* member(const Value* value, std::string_view key) {
  return value == nullptr || value->as_map() == nullptr ? nullptr : value->as_map()->find(key);
}

/// The `schema` that documents of ours carry; of a format that others defined, the schema's own id.
Value schema_id(const std::string& name) {
  const auto schema =
      wire::read_json(data::find(fmt::format("{}{}{}", kFolder, name, kEnding)), name);
  const Value* root = schema ? &*schema : nullptr;
  const Value* said = member(member(member(root, "properties"), "schema"), "const");
  if (said == nullptr) said = member(root, "$id");
  return said == nullptr ? Value() : *said;
}

Value schemas_value() {
  List out;
  for (const std::string& name : schema_names())
    out.push_back(Map{{"name", name}, {"id", schema_id(name)}});
  return out;
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> out;
  for (const data::File& file : data::files())
    if (file.name.starts_with(kFolder) && file.name.ends_with(kEnding))
      out.emplace_back(
          file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
  return out;
}

Map contract_document() {
  Map out{{"schema", "gatehouse.contract/1"},
          {"tool", Map{{"name", kProduct}, {"version", kVersion}}},
          {"unicode", unicode_version()},
          {"git_minimum", kGitMinimum},
          {"schemas", schemas_value()},
          {"exit_codes", exit_codes_value()},
          {"decisions", words_value("allow review unverified deny")},
          {"formats", words_value("text json ctcp")},
          {"rules", rules_value()},
          {"errors", errors_value()},
          {"global_options", options_value(global_options())},
          {"commands", commands_value()}};
  const Map release = release_contract();
  for (const auto& [key, value] : release.entries())
    out.set(key, value);
  return out;
}

Result<Reply> contract(const Request&, Context&) {
  Reply reply;
  reply.document = contract_document();
  reply.text = [](const report::Look&) {
    return fmt::format(
        "{} {} (Unicode {}, git {} or newer)\n{} commands, {} patch rules, {} error codes, {} "
        "schemas\nThe whole contract is one document: {} contract --json\n",
        kProduct, kVersion, unicode_version(), kGitMinimum, commands_value().as_list()->size(),
        kRuleCount, kCodeCount, schema_names().size(), kProduct);
  };
  return reply;
}

Result<Reply> schema(const Request& request, Context&) {
  const std::string name = request.text("NAME");
  Reply reply;
  if (name.empty()) {
    reply.document = Map{{"schema", "gatehouse.schema_list/1"},
                         {"schemas", schemas_value()},
                         {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
    reply.text = [](const report::Look&) { return join(schema_names(), "\n") + "\n"; };
    return reply;
  }
  const std::string_view bytes = data::find(fmt::format("{}{}{}", kFolder, name, kEnding));
  if (bytes.empty()) {
    const auto close = did_you_mean(name, schema_names());
    return fail(Code::unknown_id,
                fmt::format("there is no schema '{}'{}", printable(name, 60),
                            close ? fmt::format("; did you mean '{}'?", *close) : ""));
  }
  GH_TRY(document, wire::read_json(bytes, name));
  reply.document = document;
  reply.text = [bytes](const report::Look&) { return std::string(bytes); };
  return reply;
}

}  // namespace gh::ops
