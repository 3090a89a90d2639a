// What the readers of Python and of server source must see however it is written: parentheses,
// aliases, calls of decorators. Nothing vanishes (docs/reference/tool-surface.md).
#include <map>

#include <gtest/gtest.h>

#include "base/text.h"
#include "surface/loaders.h"
#include "surface/memory_files.h"
#include "surface/python_source.h"

namespace gh::surface {
namespace {

using FileMap = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

/// Tools and warnings of one file of one kind.
struct Read {
  Names tools{}, warnings{}, dynamic{};
};

Read read_as(const std::string& type, const std::string& bytes, const std::string& path = "a.py") {
  MemoryFiles files(FileMap{{path, bytes}});
  Manifest m;
  m.tool_sources = {{.id = "s", .type = type, .path = path}};
  Read out;
  const auto take = [&](const Loaded& loaded) {
    for (const Tool& tool : loaded.tools)
      out.tools.push_back(tool.name);
    for (const std::string& warning : loaded.warnings)
      out.warnings.push_back(warning);
  };
  const auto take_framework = [&](const auto& loaded, const FrameworkFacts& facts) {
    take(loaded);
    for (const std::string& warning : facts.warnings)
      out.warnings.push_back(warning);
    for (const DynamicSurface& one : facts.dynamic)
      out.dynamic.push_back(one.reason);
  };
  if (type == "openai_agents_sdk") {
    const auto got = load_agents_sdk(m.tool_sources[0], m, files);
    EXPECT_TRUE(got) << got.error().message;
    if (got) take(*got);
  } else if (type == "mcp_server_source") {
    const auto got = load_server_source(m.tool_sources[0], files);
    EXPECT_TRUE(got) << got.error().message;
    if (got) take(*got);
  } else if (type == "google_adk") {
    const auto got = load_adk(m, files);
    EXPECT_TRUE(got) << got.error().message;
    if (got) take_framework(got->loaded, got->adk.facts);
  } else {
    const auto got = type == "langchain" ? load_langchain(m, files) : load_crewai(m, files);
    EXPECT_TRUE(got) << got.error().message;
    if (got) take_framework(got->loaded, got->facts);
  }
  return out;
}

std::string said(const Read& read) { return join(read.warnings, "\n"); }

// ------------------------------------------------------------------------------------ parentheses

TEST(Parentheses, AroundADecoratorOfTheAgentsSdkHideNoTool) {
  const Read read = read_as("openai_agents_sdk", R"(import agents
from agents import function_tool
@(function_tool)
def one(q: (int)) -> (dict):
    ("""Finds one.""")
@(function_tool(strict_mode=False))
def two(q: str): pass
@(agents).function_tool
def three(q: str): pass
@((agents.function_tool)(name_override=("fo" "ur")))
def f(q: str): pass
)");
  EXPECT_EQ(read.tools, (Names{"one", "two", "three", "four"}));
  EXPECT_EQ(said(read), "");
}

TEST(Parentheses, AreNoPartOfAnAnnotationOrADocstring) {
  const auto source = PythonSource::read(
      "a.py", "def f(q: (int), r: (dict[str, str])) -> (list):\n    ('''Finds it.''')\n");
  ASSERT_TRUE(source);
  const Node function = source->all("function_definition").at(0);
  const FunctionShape shape = function_shape(*source, function, "f", "");
  EXPECT_EQ(shape.parameters.at(0).type, "int");
  EXPECT_EQ(shape.parameters.at(1).type, "dict[str, str]");
  EXPECT_EQ(shape.signature, "f(q, r) -> list");
  EXPECT_EQ(source->docstring(function), "Finds it.");
}

TEST(Parentheses, OfLangChainHideNoToolAndMakeNoListDynamic) {
  const Read read = read_as("langchain", R"(from langchain_core.tools import tool, StructuredTool
@(tool)
def one(q: str): "Finds one."
@(tool("two"))
def f(q: str): "Finds two."
three = (StructuredTool.from_function(one, name="three", description="d"))
tools = ([one, (f), three])
create_react_agent(model, (tools))
ToolNode(([one]))
m.bind_tools(tools=((one, f)))
)");
  EXPECT_EQ(read.tools, (Names{"one", "two", "three"}));
  EXPECT_EQ(read.dynamic, Names{});
}

TEST(Parentheses, OfCrewAiHideNoToolAndMakeNoListDynamic) {
  const Read read = read_as("crewai", R"(from crewai.tools import tool, BaseTool
@(tool("one"))
def f(q: str): "Finds one."
class Pay((BaseTool)):
    name: str = ("pay")
    def _run(self, amount: (float)): pass
p = (Pay())
Agent(tools=([f, (p)]))
Agent(tools=[(f)])
)");
  EXPECT_EQ(read.tools, (Names{"one", "pay"}));
  EXPECT_EQ(read.dynamic, Names{});
}

TEST(Parentheses, OfGoogleAdkLoseNoTool) {
  const Read read = read_as("google_adk", R"(from google.adk.agents import Agent
from google.adk.tools import FunctionTool
def one(q: str): "Finds one."
def two(q: str): "Finds two."
def three(q: str): "Finds three."
t = (FunctionTool(func=(three)))
(Agent)(name=("root"), tools=([one, (two), (t)]))
)");
  EXPECT_EQ(read.tools, (Names{"one", "two", "three"}));
  EXPECT_EQ(said(read), "");
}

TEST(Parentheses, OfAServerHideNoRegistration) {
  const Read read = read_as("mcp_server_source", R"(from fastmcp import FastMCP
mcp = (FastMCP("x"))
@(mcp.tool())
def one(q: str): "Finds one."
@(mcp).tool(name=("two"))
def f(q: str): "Finds two."
)");
  EXPECT_EQ(read.tools, (Names{"one", "two"}));
  EXPECT_EQ(said(read), "");
}

// --------------------------------------------------------------------- decorators by other means

TEST(Decorators, ByCallOrByAliasMakeToolsOfTheAgentsSdk) {
  const Read read = read_as("openai_agents_sdk", R"(from agents import function_tool
ft = function_tool
@ft
def one(q: str): "Finds one."
def two(q: str): "Finds two."
def three(q: str): "Finds three."
t = function_tool(two)
tools = [function_tool(name_override="third")(three)]
)");
  EXPECT_EQ(read.tools, (Names{"one", "two", "third"}));
  EXPECT_EQ(said(read), "");
}

TEST(Decorators, ThatAreUsedInAWayThatIsNotReadAreSaid) {
  const std::string head = "from agents import function_tool\ndef f(q: str): 'Finds.'\n";
  for (const char* line : {"function_tool(load())\n", "ts = list(map(function_tool, fs))\n",
                           "@function_tool if fast else None\ndef g(): pass\n",
                           "ft = function_tool\nft = other\n@ft\ndef g(): pass\n",
                           "deco = function_tool(strict_mode=False)\n@deco\ndef g(): pass\n"}) {
    const Read read = read_as("openai_agents_sdk", head + line);
    EXPECT_EQ(read.tools, Names{}) << line;
    ASSERT_EQ(read.warnings.size(), 1u) << line;
    EXPECT_EQ(read.warnings[0],
              "OpenAI Agents SDK decorator 'function_tool' at a.py:3 is used in a way that is not "
              "read; a tool may be missing.");
  }
}

TEST(Decorators, OfTheNameOfTheAgentsSdkCountWhereverTheyComeFrom) {
  const Read read = read_as("openai_agents_sdk",
                            "from .kit import function_tool\n@function_tool\ndef f(): 'Finds.'\n");
  EXPECT_EQ(read.tools, Names{"f"});
}

TEST(Decorators, ByCallStarOrOldModuleMakeToolsOfLangChain) {
  const std::string f = "def f(q: str): 'Finds it.'\n";
  for (const std::string& text :
       {"from langchain_core.tools import *\n@tool\n" + f,
        "from langchain.agents import tool\n@tool\n" + f,
        "from langchain.tools import tool\n" + f + "t = tool(f)\ncreate_agent(m, tools=[t])\n",
        "from langchain.tools import tool\nt = tool\n@t\n" + f,
        "from langchain.tools import tool\n" + f +
            "t = tool('f')(f)\ncreate_agent(m, tools=[t])\n"}) {
    const Read read = read_as("langchain", text);
    EXPECT_EQ(read.tools, Names{"f"}) << text;
    EXPECT_EQ(said(read), "") << text;
  }
}

TEST(Decorators, CalledToolOfUnknownOriginAreSaid) {
  for (const char* text : {"from kit import tool\n@tool\ndef f(q: str): 'Finds it.'\n",
                           "from kit import *\n@tool\ndef f(q: str): 'Finds it.'\n"}) {
    for (const char* type : {"langchain", "crewai"}) {
      const Read read = read_as(type, text);
      EXPECT_EQ(read.tools, Names{});
      ASSERT_EQ(read.warnings.size(), 1u);
      EXPECT_TRUE(contains(read.warnings[0], "function 'f' at a.py:3 is decorated with 'tool'"))
          << read.warnings[0];
    }
  }
}

// ------------------------------------------------------------------------------ registered by call

TEST(Registrations, ByCallAreReadWhereTheServerIsProven) {
  const Read read = read_as("mcp_server_source", R"(from fastmcp import FastMCP
from fastmcp.tools import Tool
def one(q: str): "Finds one."
def two(q: str): "Finds two."
def six(q: str): "Finds six."
mcp = FastMCP("x", tools=[six])
alias = mcp
mcp.add_tool(one)
mcp.tool()(two)
mcp.tool(name="three")(elsewhere)
alias.add_tool(Tool.from_function(one, name="four"))
@alias.tool()
def five(q: str): "Finds five."
)");
  EXPECT_EQ(read.tools, (Names{"five", "one", "two", "three", "four", "six"}));
  EXPECT_EQ(said(read), "");
}

TEST(Registrations, ByCallThatCannotBeProvenAreSaid) {
  const std::string head = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n";
  const std::pair<std::string, std::string> rows[] = {
      {"given.add_tool(f)\n", "server_binding_not_proven"},
      {"given.tool(name='x')(f)\n", "server_binding_not_proven"},
      {"mcp.add_tool(make())\n", "wrapped_before_registration"},
      {"mcp.tool(name=N)(f)\n", "name_not_literal"},
      {"register = mcp.tool\n", "wrapped_before_registration"},
      {"FastMCP('y', tools=load())\n", "wrapped_before_registration"},
  };
  for (const auto& [line, why] : rows) {
    const Read read = read_as("mcp_server_source", head + line);
    EXPECT_EQ(read.tools, Names{}) << line;
    EXPECT_EQ(said(read), "MCP server source 's' omits something at a.py:3: " + why) << line;
  }
}

TEST(Registrations, OfScriptsAreReadBehindBracketsDestructuringAndNames) {
  const Read read = read_as("mcp_server_source", R"(const { tool, registerTool: add } = server;
const reg = server.registerTool.bind(server);
server["tool"]("one", "Finds one.", {}, run);
tool("two", "Finds two.", {}, run);
add("three", {description: "Finds three."}, run);
reg("four", {description: "Finds four."}, run);
(server.tool)("five", "Finds five.", {}, run);
)",
                            "a.ts");
  EXPECT_EQ(read.tools, (Names{"one", "two", "three", "four", "five"}));
  EXPECT_EQ(said(read), "");
}

TEST(Registrations, OfScriptsThatCannotBeProvenAreSaidAndOtherCallsAreNot) {
  const Read unproven =
      read_as("mcp_server_source",
              "import { registerTool } from './kit';\nregisterTool('x', {}, run);\n", "a.ts");
  EXPECT_EQ(unproven.tools, Names{});
  EXPECT_EQ(said(unproven),
            "MCP server source 's' omits something at a.ts:2: server_binding_not_proven");
  const Read other = read_as("mcp_server_source",
                             "import { tool } from 'ai';\ntool('x', {}, run);\nfunction "
                             "registerTool(a, b) {}\nregisterTool('y', run);\n",
                             "a.ts");
  EXPECT_EQ(other.tools, Names{});
  EXPECT_EQ(said(other), "");
}

// --------------------------------------------------------------------------- classes of
// expressions

// The classes are those that Python's own `ast` names.
TEST(AstClasses, AreThoseOfPython) {
  const std::pair<const char*, const char*> rows[] = {
      {"x if y else z", "IfExp"},
      {"d[\"k\"]", "Subscript"},
      {"{}", "Dict"},
      {"None", "Constant"},
      {"(await f())", "Await"},
      {"f\"{x}\"", "JoinedStr"},
      {"lambda: 1", "Lambda"},
      {"{a, b}", "Set"},
      {"a + b", "BinOp"},
      {"a or b", "BoolOp"},
      {"not a", "UnaryOp"},
      {"-a", "UnaryOp"},
      {"a < b", "Compare"},
      {"(x := y)", "NamedExpr"},
      {"\"lit\"", "Constant"},
      {"\"a\" \"b\"", "Constant"},
      {"\"a\" f\"b\"", "JoinedStr"},
      {"5", "Constant"},
      {"a.b", "Attribute"},
      {"...", "Constant"},
      {"(yield)", "Yield"},
      {"(yield from a)", "YieldFrom"},
      {"b\"\"", "Constant"},
      {"True", "Constant"},
      {"a[1:2]", "Subscript"},
      {"{a: b for a in c}", "DictComp"},
      {"{a for a in b}", "SetComp"},
  };
  for (const auto& [expression, name] : rows) {
    const Read read =
        read_as("crewai", std::string("async def q():\n    Agent(tools=") + expression + ")\n");
    ASSERT_EQ(read.dynamic.size(), 1u) << expression;
    EXPECT_EQ(read.dynamic[0], std::string("unsupported static tool expression ") + name)
        << expression;
  }
}

}  // namespace
}  // namespace gh::surface
