// What the readers of Python and of server source must see however it is written: parentheses,
// aliases, calls of decorators. Nothing vanishes (docs/reference/tool-surface.md).
#include <map>
#include <tuple>

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

/// Without the sentence of a source of which nothing was read.
Names told(Read read) {
  std::erase_if(read.warnings, [](const std::string& w) { return w.starts_with("No tool of "); });
  return read.warnings;
}

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

// ------------------------------------------------------------------------ tool classes and objects

TEST(ToolClasses, OfLangChainAreToolsAlsoBehindABaseOfTheirOwn) {
  const Read read = read_as("langchain", R"(from typing import Type
from langchain_core.tools import BaseTool
class Base2(BaseTool):
    description: str = "Inherited."
    def _run(self, table: str) -> str: pass
class DropTable(BaseTool):
    name: str = "drop_table"
    description: str = "Drops a table."
    def _run(self, table: str) -> str: pass
class Wipe(Base2):
    name: str = "wipe"
create_agent(m, tools=[DropTable(), Wipe()])
)");
  EXPECT_EQ(read.tools, (Names{"Base2", "drop_table", "wipe"}));
  EXPECT_EQ(said(read), "");
}

TEST(ToolClasses, TakeOverWhatTheirOwnBaseSays) {
  MemoryFiles files(FileMap{{"a.py", R"(from crewai.tools import BaseTool
class Base2(BaseTool):
    description: str = "Inherited."
    def _run(self, amount: float) -> str: pass
class Wipe(Base2):
    name: str = "wipe"
)"}});
  Manifest m;
  m.tool_sources = {{.id = "s", .type = "crewai", .path = "a.py"}};
  const auto got = load_crewai(m, files);
  ASSERT_TRUE(got);
  ASSERT_EQ(got->loaded.tools.size(), 2u);
  const Tool& wipe = got->loaded.tools[1];
  EXPECT_EQ(wipe.name, "wipe");
  EXPECT_EQ(wipe.description, "Inherited.");
  ASSERT_EQ(wipe.parameters.size(), 1u);
  EXPECT_EQ(wipe.parameters[0].name, "amount");
}

TEST(ToolClasses, OfKnownToolClassesAreToolsAndOfUnknownOnesAreSaid) {
  const Read known = read_as("crewai",
                             "from crewai_tools import RagTool\nclass Search(RagTool):\n    name: "
                             "str = 'search_docs'\n");
  EXPECT_EQ(known.tools, Names{"search_docs"});
  EXPECT_EQ(said(known),
            "CrewAI tool class 'Search' at a.py:2 derives from RagTool; what it inherits is not "
            "read.");
  for (const char* type : {"crewai", "langchain"}) {
    const Read unknown =
        read_as(type, "from kit import HouseTool\nclass Search(HouseTool):\n    name = 's'\n");
    EXPECT_EQ(unknown.tools, Names{});
    EXPECT_TRUE(contains(said(unknown), "class 'Search' at a.py:2 derives from 'kit.HouseTool'"))
        << said(unknown);
  }
}

TEST(ToolClasses, WhoseNameIsNoLiteralAreSaid) {
  const Read read = read_as("langchain",
                            "from langchain.tools import BaseTool\nclass Drop(BaseTool):\n    "
                            "name: str = make_name()\n");
  EXPECT_EQ(read.tools, Names{"Drop"});
  EXPECT_EQ(said(read),
            "The name of the tool at a.py:2 is no literal and is not read: make_name().");
}

TEST(ToolObjects, OfLangChainAreToolsWhereverTheyAreMade) {
  const Read read = read_as("langchain", R"(from langchain.agents import Tool, initialize_agent
from langchain_core.tools import StructuredTool
def drop(table: str): "Drops it."
tools = []
tools.append(Tool(name="drop_table", func=drop, description="Drops."))
def more():
    return [Tool("second", drop, "d"), Tool.from_function(drop, "third", "d"),
            StructuredTool(name="fourth", func=drop, description="d", args_schema=Args)]
class Args(BaseModel):
    table: str
fifth = StructuredTool.from_function(func=drop)
)");
  EXPECT_EQ(read.tools, (Names{"drop_table", "second", "third", "fourth", "drop"}));
  EXPECT_EQ(said(read), "");
}

TEST(ToolObjects, OfLangChainThatAreNotReadAreSaid) {
  const std::string head = "from langchain.tools import Tool\n";
  const std::tuple<std::string, Names, std::string> rows[] = {
      {"Tool(name=n(), func=load(), description='d')\n",
       {},
       "The name of the tool at a.py:2 is no literal and is not read: n()."},
      {"Tool(name='search', func=engine.run, description='d')\n",
       {"search"},
       "The parameters of LangChain tool 'search' at a.py:2 are not read: its function is not "
       "defined in this file."},
      {"Tool(**given)\n",
       {},
       "LangChain structured_tool at a.py:2 has dynamic tool surface: tool object has neither a "
       "name nor a function."},
      {"make = partial(Tool, name='x')\n",
       {},
       "LangChain class 'Tool' at a.py:2 is used in a way that is not read; a tool may be "
       "missing."},
      {"def f(t: Tool) -> list[Tool]: return isinstance(t, (Tool, str))\n", {}, ""},
  };
  for (const auto& [line, tools, sentence] : rows) {
    const Read read = read_as("langchain", head + line);
    EXPECT_EQ(read.tools, tools) << line;
    EXPECT_EQ(join(told(read), "\n"), sentence) << line;
  }
}

TEST(ToolObjects, ThatLangChainBringsAreReferences) {
  const Read read = read_as("langchain", R"(from langchain_community.tools import ShellTool
from langchain_community.agent_toolkits import SQLDatabaseToolkit
from langchain_core.tools import ToolException
tools = load() + [ShellTool()]
kit = SQLDatabaseToolkit(db=db)
raise ToolException("x")
)");
  EXPECT_EQ(read.tools, (Names{"ShellTool", "SQLDatabaseToolkit"}));
  EXPECT_EQ(read.warnings.size(), 2u);
}

TEST(ToolBindings, OfListsThatGrowLaterAreLookedAt) {
  const std::string head =
      "from langchain.tools import tool, Tool\n@tool\ndef f(q: str): 'Finds.'\ntools = [f]\n";
  for (const auto& [line, is_dynamic] :
       {std::pair{"tools.append(x)", true}, std::pair{"tools.extend(load())", true},
        std::pair{"tools.extend([f, x])", true}, std::pair{"tools += more", true},
        std::pair{"tools.insert(0, f)", false}, std::pair{"tools += [f]", false},
        std::pair{"tools.append(Tool('x', f, 'd'))", false},
        std::pair{"others.append(x)", false}}) {
    const Read read = read_as("langchain", head + line + "\ncreate_agent(m, tools)\n");
    EXPECT_EQ(read.dynamic.size(), is_dynamic ? 1u : 0u) << line;
  }
}

// Each call hands its list over at the place that its row says.
TEST(ToolBindings, OfEveryCallAreLookedAt) {
  for (const char* call :
       {"create_agent(m, x)", "create_react_agent(m, x)", "create_tool_calling_agent(m, x, p)",
        "create_openai_functions_agent(m, x, p)", "create_openai_tools_agent(m, x, p)",
        "create_structured_chat_agent(m, x, p)", "create_json_chat_agent(m, x, p)",
        "initialize_agent(x, m)", "AgentExecutor(agent=a, tools=x)", "ToolNode(x)",
        "m.bind_tools(x)"}) {
    const Read read = read_as("langchain", std::string(call) + "\n");
    EXPECT_EQ(read.dynamic, Names{"unresolved tool reference 'x'"}) << call;
  }
}

// However tools are handed to an agent: they are read, or it is said that they are not.
TEST(GivenTools, ThatNobodyReadsAreSaidWhateverTheCallIsCalled) {
  const std::string sdk = "OpenAI Agents SDK agent at a.py:2 is given ";
  const std::string open = " is given arguments that are not read; a tool may be missing.";
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"langchain", "from langgraph.prebuilt import create_react_agent as cra\ncra('m', [wipe])",
       "LangChain agent at a.py:2 has dynamic tool surface: tool list contains unresolved or "
       "inline "
       "tool expressions."},
      {"langchain",
       "from langgraph_supervisor import create_supervisor\ncreate_supervisor([a], "
       "tools=[wipe])",
       "LangChain agent at a.py:2 has dynamic tool surface: tool list contains unresolved or "
       "inline "
       "tool expressions."},
      {"langchain",
       "from langchain.agents import AgentExecutor\nAgentExecutor.from_agent_and_tools("
       "a, [wipe])",
       "LangChain agent at a.py:2 has dynamic tool surface: tool list contains unresolved or "
       "inline "
       "tool expressions."},
      {"langchain", "from langchain_openai import ChatOpenAI\nChatOpenAI().bind(tools=[wipe])",
       "LangChain tools that are given at a.py:2 are not read: wipe."},
      {"langchain", "import functools\nfunctools.partial(make, tools=[wipe])",
       "LangChain tools that are given at a.py:2 are not read: wipe."},
      {"langchain", "from deepagents import create_deep_agent\ncreate_deep_agent(instructions='x')",
       "LangChain create_deep_agent at a.py:2 brings tools for files, plans and sub-agents, and "
       "none is read."},
      {"langchain",
       "from langchain_community.agent_toolkits import create_sql_agent as c\nc(m, "
       "db=db)",
       "LangChain create_sql_agent at a.py:2 brings tools for a database, and none is read."},
      {"langchain",
       "from langchain_mcp_adapters.client import MultiServerMCPClient\n"
       "MultiServerMCPClient({})",
       "LangChain MultiServerMCPClient at a.py:2 brings the tools of MCP servers, and none is "
       "read."},
      {"langchain", "agent = build()\nagent.tools.append(wipe)",
       "LangChain tools that are given at a.py:2 are not read: wipe."},
      {"crewai", "from crewai import Agent as A\nA(role='r', tools=[wipe])",
       "CrewAI agent at a.py:2 has dynamic tool surface: tool list contains unresolved or inline "
       "tool expressions."},
      {"crewai", "from crewai import Agent\nclass A(Agent): tools = [wipe]",
       "CrewAI tools that are given at a.py:2 are not read: wipe."},
      {"crewai",
       "from crewai import Agent; class_ = 1\nclass A(Agent): pass\nA(role='r', "
       "tools=[wipe])",
       "CrewAI agent at a.py:3 has dynamic tool surface: tool list contains unresolved or inline "
       "tool expressions."},
      {"crewai", "from crewai import Task\nTask(description='d', tools=[wipe])",
       "CrewAI tools that are given at a.py:2 are not read: wipe."},
      {"crewai", "x = Agent(role='r')\nx.tools += [wipe,\n   more]",
       "CrewAI tools that are given at a.py:2 are not read: wipe, more."},
      {"crewai", "x = Agent(role='r')\nx.tools = load(1,\n   2)",
       "CrewAI tools that are given at a.py:2 are not read: load(1, 2)."},
      {"crewai", "from crewai import Agent\nAgent(role='r', mcps=['https://x/mcp'])",
       "CrewAI tools that are given at a.py:2 are not read: 'https://x/mcp'."},
      {"crewai", "from crewai import Agent\nAgent(role='r', allow_code_execution=True)",
       "CrewAI agent at a.py:2 runs code that the model writes: allow_code_execution=True."},
      {"crewai", "from crewai import Agent\nAgent(**given)", "CrewAI agent at a.py:2" + open},
      {"google_adk",
       "from google.adk.agents import Agent\nr = Agent(name='r'); r.tools.append(wipe)",
       "Google ADK agent 'r' at a.py:2 has a tool that is not resolved: wipe"},
      {"google_adk", "r = make()\nr.tools = [wipe]",
       "Google ADK agent 'r' at a.py:2 has a tool that is not resolved: wipe"},
      {"google_adk",
       "from google.adk.agents import Agent\nclass My(Agent): pass\nMy(name='r', "
       "tools=[wipe])",
       "Google ADK agent 'r' at a.py:3 has a tool that is not resolved: wipe"},
      {"google_adk",
       "from google.adk.agents import Agent\nmk = partial(Agent, model='m')\n"
       "mk(name='r', tools=[wipe])",
       "Google ADK agent 'r' at a.py:3 has a tool that is not resolved: wipe"},
      {"google_adk",
       "from google.adk.agents import Agent\nAgent(name='r', "
       "code_executor=UnsafeLocalCodeExecutor())",
       "Google ADK agent 'r' at a.py:2 runs code that the model writes: "
       "UnsafeLocalCodeExecutor()."},
      {"google_adk", "from google.adk.agents import Agent\nAgent(**given)",
       "Google ADK agent 'adk_agent' at a.py:2" + open},
      {"google_adk",
       "from google.adk.agents.remote_a2a_agent import RemoteA2aAgent\n"
       "RemoteA2aAgent(name='r')",
       "Google ADK RemoteA2aAgent at a.py:2 is an agent that runs elsewhere; its tools are not "
       "read."},
      {"google_adk", "def wipe(): 'Wipes.'\nconfigure(tools=load())",
       "Google ADK agent 'adk_agent' at a.py:2 has a tool that is not resolved: load()"},
      {"openai_agents_sdk", "from agents import Agent\nAgent('r', None, [wipe])",
       sdk + "tools that are not read: wipe."},
      {"openai_agents_sdk", "from agents import Agent as A\nA('r', None, None, [srv])",
       sdk + "tools that are not read: srv."},
      {"openai_agents_sdk", "from agents import Agent\npartial(Agent, 'r', None, [wipe])",
       sdk + "tools that are not read: wipe."},
      {"openai_agents_sdk", "from agents import Agent\nAgent(**given)",
       sdk + "arguments that are not read; a tool may be missing."},
      {"openai_agents_sdk", "a = b\nsetattr(a, 'tools', [wipe])",
       sdk + "tools that are not read: wipe."},
  };
  for (const auto& [type, text, sentence] : rows) {
    const Read read = read_as(type, text + "\n");
    EXPECT_EQ(read.tools, Names{}) << text;
    EXPECT_EQ(said(read), sentence) << text;
  }
}

TEST(GivenTools, OfMakersWithToolsOfTheirOwnAreSaid) {
  for (const auto& [maker, what] : {
           std::pair{"create_deep_agent", "tools for files, plans and sub-agents"},
           {"create_sql_agent", "tools for a database"},
           {"create_spark_sql_agent", "tools for a database"},
           {"create_pandas_dataframe_agent", "a tool that runs Python"},
           {"create_csv_agent", "a tool that runs Python"},
           {"create_python_agent", "a tool that runs Python"},
           {"create_json_agent", "tools for a document"},
           {"create_openapi_agent", "tools that send requests"},
           {"MultiServerMCPClient", "the tools of MCP servers"},
       })
    EXPECT_EQ(
        said(read_as("langchain", std::string(maker) + "(m)\n")),
        std::string("LangChain ") + maker + " at a.py:1 brings " + what + ", and none is read.");
}

TEST(GivenTools, ThatAreReadAreNotSaid) {
  const std::pair<std::string, std::string> rows[] = {
      {"langchain",
       "from langchain.tools import tool\n@tool\ndef f(q: str): 'Finds.'\nts = "
       "[f]\nm.bind(tools=ts)\nx.tools.append(f)\nPROMPT.partial(tools=names(ts))\n"
       "PROMPT.format(tools=names(ts))\nclass A:\n    def __init__(self, tools): self.tools = "
       "tools\n"},
      {"crewai",
       "from crewai.tools import tool\n@tool\ndef f(q: str): 'Finds.'\nTask(tools=[f])\n"
       "a.tools = [f]\nAgent(allow_code_execution=False)\n"},
      {"google_adk", "def f(q: str): 'Finds.'\na = make()\na.tools.append(f)\n"},
      {"google_adk",
       "from google.adk.agents import Agent as A\ndef f(q: str): 'Finds.'\nclass "
       "B(A): pass\nB(tools=[f], code_executor=None, **given)\n"},
      {"openai_agents_sdk",
       "from agents import Agent, function_tool\n@function_tool\ndef f(q: "
       "str): 'Finds.'\nAgent('r', None, [f])\nclass B(Agent): tools = [f]\nAgent(tools=[f], "
       "**given)\n"},
  };
  for (const auto& [type, text] : rows) {
    const Read read = read_as(type, text);
    EXPECT_EQ(read.tools, Names{"f"}) << text;
    EXPECT_EQ(said(read), "") << text;
  }
}

TEST(GivenTools, ThatMakersOfCrewAiMakeAreTools) {
  const Read read = read_as("crewai", R"(from crewai.tools import Tool
from crewai.tools.structured_tool import CrewStructuredTool
def f(x: int): "Deletes."
t = CrewStructuredTool.from_function(func=f, name="zap", description="Deletes for good.")
d = Tool(name="drop", description="Drops it.", func=f)
Agent(tools=[t, d])
)");
  EXPECT_EQ(read.tools, (Names{"zap", "drop"}));
  EXPECT_EQ(said(read), "");
}

TEST(GivenTools, OfAFileBesideAreKnownToTheWholeSource) {
  const std::string tool =
      "from agents import function_tool\n@function_tool\ndef look(q: str): "
      "'Looks.'\n";
  const auto warnings = [&](const std::string& text) {
    MemoryFiles files(FileMap{{"d/a.py", tool}, {"d/b.py", text}});
    const auto got =
        load_agents_sdk({.id = "s", .type = "openai_agents_sdk", .path = "d"}, {}, files);
    EXPECT_TRUE(got);
    return got ? got->warnings : Names{"error"};
  };
  for (const char* import : {"from .a import look", "from a import look", "from d.a import look",
                             "from .a import look as look2\nlook = look2"})
    EXPECT_EQ(warnings(std::string(import) + "\nAgent(tools=[look])\n"), Names{}) << import;
  EXPECT_EQ(warnings("from . import a\nAgent(tools=[a.look])\n"), Names{});
  for (const char* import : {"from kit.a import look", "from .b import look",
                             "from .a import wipe as look", "from a.b import look"})
    EXPECT_EQ(warnings(std::string(import) + "\nAgent(tools=[look])\n").size(), 1u) << import;
}

TEST(Decorators, WhoseNameIsAParameterOrALoopVariableAreNotUsedThere) {
  const std::string head = "from agents.decorators import tool\n@tool\ndef f(q: str): 'Finds.'\n";
  for (const char* text :
       {"class H:\n    async def on_start(self, agent, tool): print(tool.name)\n",
        "names = [tool.name for tool in all_tools]\n",
        "names = {k: tool for k, tool in all_tools}\n", "for tool in all_tools: print(tool)\n",
        "def g(*, tool: str = 'x'): return tool\n", "g = lambda tool: tool.name\n"})
    EXPECT_EQ(said(read_as("openai_agents_sdk", head + text)), "") << text;
  for (const char* text :
       {"def g(x): return tool\n", "def g(x=tool): return x\n", "names = [tool for x in y]\n"})
    EXPECT_TRUE(contains(said(read_as("openai_agents_sdk", head + text)), "a tool may be missing"))
        << text;
}

// A source that is there for its tools, and of which nothing was read.
TEST(SourcesOfNothing, SaySo) {
  const std::tuple<std::string, std::string, std::string, std::string> rows[] = {
      {"openai_agents_sdk", "x = 1\n", "a.py", "OpenAI Agents SDK"},
      {"google_adk", "x = 1\n", "a.py", "Google ADK"},
      {"langchain", "x = 1\n", "a.py", "LangChain"},
      {"crewai", "from crewai import Agent\nAgent(role='r')\n", "a.py", "CrewAI"},
      {"mcp_server_source", "x = 1\n", "a.py", "MCP server"},
  };
  for (const auto& [type, text, path, name] : rows)
    EXPECT_EQ(said(read_as(type, text, path)),
              "No tool of " + name + " source 's' was read from '" + path +
                  "'; name the file that defines its tools, or an inventory of them.")
        << type;
}

TEST(SourcesOfNothing, OfAServerSayWhichLanguageIsNotRead) {
  const auto warnings = [](FileMap given) {
    MemoryFiles files(std::move(given));
    const auto got =
        load_server_source({.id = "s", .type = "mcp_server_source", .path = "src"}, files);
    EXPECT_TRUE(got);
    EXPECT_TRUE(!got || got->is_partial);
    return got ? got->warnings : Names{"error"};
  };
  const Names nothing{
      "No tool of MCP server source 's' was read from 'src'; name the file that defines its tools, "
      "or an inventory of them."};
  for (const char* name :
       {"a.rs", "a.cs", "A.java", "a.kt", "a.kts", "a.scala", "a.rb", "a.php", "a.swift", "a.dart",
        "a.ex", "a.exs", "a.lua", "a.cc", "a.cpp", "a.cxx", "a.vue", "a.svelte"})
    EXPECT_EQ(warnings({{std::string("src/") + name, "[McpServerTool] x"}}),
              Names{std::string("MCP server source 's' does not read the language of src/") + name +
                    "; a tool may be missing."});
  EXPECT_EQ(warnings({{"src/README.md", "a tool"}}), nothing);
  EXPECT_EQ(warnings({{"src/a.rs", "fn main() {}"}}), nothing);
}

TEST(Registrations, OfToolsThatAreMadeElsewhereAreSaid) {
  const std::string py = "from fastmcp import FastMCP\n";
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"a.ts",
       "import { tool } from 'ai';\nexport const t = tool({description: 'd', execute: f});\n",
       "a.ts:2: server_binding_not_proven"},
      {"a.py", py + "mcp = FastMCP.from_openapi(spec, client)\n",
       "a.py:2: wrapped_before_registration"},
      {"a.py",
       py + "mcp = FastMCP('x'); sub = FastMCP('y')\nmcp.mount('a', sub)\nmcp.mount('b', "
            "other)\n",
       "a.py:4: wrapped_before_registration"},
      {"a.py",
       "from mcp.server.lowlevel import Server\nclass S:\n    def __init__(self):\n        "
       "self.s = Server('x')\n        self.s.list_tools()(self.answer)\n",
       "a.py:5: wrapped_before_registration"},
      {"a.py", "server.request_handlers[types.ListToolsRequest] = load()\n",
       "a.py:1: wrapped_before_registration"},
      {"a.go", "package main\nfunc f() { mcp.AddTool(server, tool(), h) }\n",
       "a.go:2: name_not_literal"},
      {"a.go", "package main\nfunc f() { server.AddTool(given, h) }\n", "a.go:2: name_not_literal"},
      {"a.go",
       "package main\nfunc f() { for _, t := range load() { server.AddTool(t.Tool, t.Run) } "
       "}\n",
       "a.go:2: name_not_literal"},
  };
  for (const auto& [path, text, what] : rows) {
    const Read read = read_as("mcp_server_source", text, path);
    EXPECT_EQ(read.tools, Names{}) << text;
    EXPECT_EQ(said(read), "MCP server source 's' omits something at " + what) << text;
  }
}

TEST(Registrations, OfToolsThatAreWrittenInTheSourceAreRead) {
  const std::string head = "package main\n";
  for (const std::string& text :
       {head + "func f() { mcp.AddTool(server, &mcp.Tool{Name: \"zap\"}, h) }\n",
        head + "func f() { t := mcp.NewTool(\"zap\"); server.AddTool(t, h) }\n",
        head + "func tool() mcp.Tool { return mcp.NewTool(\"zap\") }\nfunc f() { server.AddTool("
               "tool(), h) }\n",
        head + "var all = []mcp.Tool{mcp.Tool{Name: \"zap\"}}\nfunc f() { for _, t := range all { "
               "server.AddTool(t, h) } }\n"}) {
    const Read read = read_as("mcp_server_source", text, "a.go");
    EXPECT_EQ(read.tools, Names{"zap"}) << text;
    EXPECT_EQ(said(read), "") << text;
  }
  const Read python =
      read_as("mcp_server_source",
              "class S:\n    def __init__(self): "
              "self.s.list_tools()(self.answer)\n    async def answer(self): return "
              "[types.Tool(name='zap', description='d')]\n");
  EXPECT_EQ(python.tools, Names{"zap"});
  EXPECT_EQ(said(python), "");
}

TEST(AgentsSdkObjects, AreToolsWithTheirSchemas) {
  MemoryFiles files(FileMap{{"a.py", R"(from agents import Agent, FunctionTool
from pydantic import BaseModel, Field
class Args(BaseModel):
    amount: float = Field(..., le=10)
drop = FunctionTool(name="drop_table", description="Drops it.",
                    params_json_schema={"type": "object", "properties": {"t": {"type": "string"}},
                                        "required": ["t"], "additionalProperties": False},
                    on_invoke_tool=run)
pay = FunctionTool("pay", "Pays.", Args.model_json_schema(), run)
more = [FunctionTool(name="third", description="d", params_json_schema=schema, on_invoke_tool=run)]
helper = Agent(name="h")
a = Agent(name="a", tools=[drop, pay, *more, helper.as_tool(tool_name="ask", tool_description="d")])
)"}});
  const auto got =
      load_agents_sdk({.id = "s", .type = "openai_agents_sdk", .path = "a.py"}, {}, files);
  ASSERT_TRUE(got);
  Names names;
  for (const Tool& tool : got->tools)
    names.push_back(tool.name);
  ASSERT_EQ(names, (Names{"drop_table", "pay", "third", "ask"}));
  EXPECT_EQ(got->tools[0].source_type, "sdk_tool_object");
  EXPECT_EQ(got->tools[0].description, "Drops it.");
  ASSERT_EQ(got->tools[0].parameters.size(), 1u);
  EXPECT_EQ(got->tools[0].parameters[0].type, "string");
  EXPECT_EQ(got->tools[1].parameters[0].name, "amount");
  EXPECT_EQ(got->warnings,
            Names{"The schema of OpenAI Agents SDK tool 'third' at a.py:10 is not read."});
}

TEST(AgentsSdkObjects, ThatRunElsewhereAreToolsByTheirClass) {
  const std::tuple<std::string, std::string, Names, bool> rows[] = {
      {"WebSearchTool()", "WebSearchTool", {}, false},
      {"FileSearchTool()", "FileSearchTool", {}, false},
      {"ImageGenerationTool()", "ImageGenerationTool", {}, false},
      {"CodeInterpreterTool()", "CodeInterpreterTool", {"code_execution"}, false},
      {"LocalShellTool(executor=None)",
       "LocalShellTool",
       {"code_execution", "destructive", "write"},
       false},
      {"ShellTool()", "ShellTool", {"code_execution", "destructive", "write"}, false},
      {"ComputerTool()", "ComputerTool", {"code_execution", "destructive", "write"}, false},
      {"ApplyPatchTool()", "ApplyPatchTool", {"destructive", "write"}, false},
      {"HostedMCPTool(tool_config={})", "HostedMCPTool.*", {}, true},
      {"HostedMCPTool(tool_config={'server_label': 'crm'})", "crm.*", {}, true},
      {"MCPServerStdio(params={'command': 'npx'})", "MCPServerStdio.*", {}, true},
      {"MCPServerSse(name='web')", "web.*", {}, true},
      {"MCPServerStreamableHttp(name='web')", "web.*", {}, true},
  };
  for (const auto& [call, name, tags, is_server] : rows) {
    MemoryFiles files(
        FileMap{{"a.py", "import agents\nfrom agents import *\nfrom agents.mcp import *\nAgent(" +
                             std::string(call.starts_with("MCP") ? "mcp_servers" : "tools") + "=[" +
                             call + "])\n"}});
    const auto got =
        load_agents_sdk({.id = "s", .type = "openai_agents_sdk", .path = "a.py"}, {}, files);
    ASSERT_TRUE(got);
    ASSERT_EQ(got->tools.size(), 1u) << call;
    EXPECT_EQ(got->tools[0].name, name);
    EXPECT_EQ(got->tools[0].confidence, Confidence::low);
    EXPECT_EQ(risk_tags(got->tools[0]), tags) << call;
    EXPECT_EQ(is_wildcard(got->tools[0]), is_server) << call;
    ASSERT_EQ(got->warnings.size(), 1u) << call;
    EXPECT_TRUE(contains(got->warnings[0], call.substr(0, call.find('(')))) << got->warnings[0];
  }
}

TEST(AgentsSdkObjects, ThatAnAgentIsGivenAndNobodyReadAreSaid) {
  const std::string head = "from agents import Agent, FunctionTool, function_tool\n";
  const std::pair<std::string, std::string> rows[] = {
      {"Agent(tools=make())\n", "agent at a.py:2 is given tools that are not read: make()."},
      {"from .kit import look\nAgent(tools=[look])\n",
       "agent at a.py:3 is given tools that are not read: look."},
      {"a.tools = load()\n", "agent at a.py:2 is given tools that are not read: load()."},
      {"a.tools.append(x)\n", "agent at a.py:2 is given tools that are not read: x."},
      {"Agent(mcp_servers=[server])\n",
       "agent at a.py:2 is given tools that are not read: server."},
      {"Agent(tools=FIXED + [f])\n", "agent at a.py:2 is given tools that are not read: FIXED, f."},
      {"class Mine(FunctionTool): pass\n", "class 'Mine' at a.py:2 derives from FunctionTool"},
      {"from agents.mcp import MCPServer\nclass Mine(MCPServer): pass\n",
       "class 'Mine' at a.py:3 derives from MCPServer"},
      {"k = FunctionTool if x else None\n", "class 'FunctionTool' at a.py:2 is used in a way"},
      {"Agent(tools=[])\nAgent(tools=None)\n@function_tool\ndef f(): 'd'\nall = "
       "[f]\nAgent(tools=all + [f])\n",
       ""},
  };
  for (const auto& [line, sentence] : rows) {
    const Read read = read_as("openai_agents_sdk", head + line);
    EXPECT_EQ(read.warnings.size(), sentence.empty() ? 0u : 1u) << line << said(read);
    EXPECT_TRUE(contains(said(read), sentence)) << said(read);
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
  EXPECT_EQ(told(other), Names{});
}

TEST(ServerUses, OfScriptsThatAreNotReadAreSaid) {
  const std::string head =
      "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n"
      "const s = new McpServer({name: 'x'});\n";
  const std::tuple<std::string, Names, std::string> rows[] = {
      {"let q; ({[\"tool\"]: q} = s); q('one', 'Finds.', {}, run);", {"one"}, ""},
      {"const {[\"tool\"]: q} = s; q('one', 'Finds.', {}, run);", {"one"}, ""},
      {"const {['registerTool']: q} = s as any; q('one', {}, run);", {"one"}, ""},
      {"const {[m]: q} = s; q('one', 'Finds.', {}, run);", {}, "name_not_literal"},
      {"const {connect, ...rest} = s;", {}, "wrapped_before_registration"},
      {"(s as any)[m]('one', 'Finds.', {}, run);", {}, "name_not_literal"},
      {"s[m]('one', 'Finds.', {}, run);", {}, "name_not_literal"},
      {"Reflect.apply(s.tool, s, ['one', 'Finds.', {}, run]);", {}, "wrapped_before_registration"},
      {"s.tool.call(s, 'one', 'Finds.', {}, run);", {}, "wrapped_before_registration"},
      {"s.tool.apply(s, all);", {}, "wrapped_before_registration"},
      {"s.tool(...all);", {}, "name_not_literal"},
      {"each(all, s.tool.bind(s));", {}, "wrapped_before_registration"},
      {"const t = s; t[m]('one', 'Finds.', {}, run);", {}, "name_not_literal"},
      {"function f(given: McpServer) { given[m]('one', run); }", {}, "name_not_literal"},
      {"class A { srv = new McpServer({}); f() { this.srv[m]('one', run); } }",
       {},
       "name_not_literal"},
      {"s.experimental.tasks.registerToolTask('one', {}, run);", {}, "wrapped_before_registration"},
      {"import { add } from 'kit'; add(s);", {}, "wrapped_before_registration"},
      {"import { add } from './kit'; add({server: s.server});", {}, "wrapped_before_registration"},
      {"s.server.setRequestHandler({method: 'tools/list'}, () => ({tools: [{name: 'one'}]}));",
       {"one"},
       ""},
      {"s.server.setRequestHandler(LIST, () => ({tools: []}));", {}, "wrapped_before_registration"},
      {"const L = ListToolsRequestSchema; s.server.setRequestHandler(L, () => ({tools: []}));",
       {},
       ""},
      {"s.server.setRequestHandler({method: 'ping'}, run);", {}, ""},
      {"function add(x) { x.tool('one', 'Finds.', {}, run); } add(s); await s.connect(t);\n"
       "s.sendToolListChanged(); const { tool } = s; export { s };",
       {"one"},
       ""},
  };
  for (const auto& [line, tools, why] : rows) {
    const Read read = read_as("mcp_server_source", head + line + "\n", "a.ts");
    EXPECT_EQ(read.tools, tools) << line;
    EXPECT_EQ(join(told(read), "\n"),
              why.empty() ? "" : "MCP server source 's' omits something at a.ts:3: " + why)
        << line;
  }
}

TEST(ServerUses, OfPythonThatAreNotReadAreSaid) {
  const std::string head = "from fastmcp import FastMCP\nfrom kit import add\nT = FastMCP('x')\n";
  const std::pair<std::string, bool> rows[] = {
      {"deco = getattr(T, 'tool')", true},
      {"add(T)", true},  // a file alone: what it imports is not read
      {"partial(run, server=T)", true},
      {"T._tool_manager.add_tool(f)", true},
      {"print(T)", false},
      {"def more(server): pass\nmore(T)", false},
      {"T.run()", false},
      {"other.T.run(x.T)", false},
  };
  for (const auto& [line, is_said] : rows) {
    const Read read = read_as("mcp_server_source", head + line + "\n");
    EXPECT_EQ(contains(said(read), "at a.py:4: "), is_said) << line << said(read);
    EXPECT_EQ(told(read).size(), is_said ? 1u : 0u) << line << said(read);
  }
}

TEST(ServerUses, HandedToFilesThatAreReadAreNone) {
  MemoryFiles files(FileMap{
      {"src/a.ts", "import { add } from './b';\nconst s = new McpServer({});\nadd(s);\n"},
      {"src/b.ts", "export function add(x) { x.tool('one', 'Finds.', {}, run); }\n"},
      {"src/c.py", "from fastmcp import FastMCP\nfrom .d import add\nm = FastMCP('x')\nadd(m)\n"}});
  const auto got =
      load_server_source({.id = "s", .type = "mcp_server_source", .path = "src"}, files);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->warnings, Names{});
  EXPECT_EQ(got->tools.size(), 1u);
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
