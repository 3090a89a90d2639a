// The page of an analysis in a real browser (tools/look-at-page.mjs), made by the program itself
// from a repository that holds something for every section, and names that would like to be more
// than text.
#include <gtest/gtest.h>

#include "tests/kit.h"

namespace gh {
namespace {

using kit::Ran;

std::string twin(std::string_view name, std::string_view verb) {
  return "def " + std::string(name) +
         "(orders, limit):\n"
         "    \"\"\"Adds up.\"\"\"\n"
         "    total = 0\n"
         "    seen = set()\n"
         "    for order in orders:\n"
         "        if order.price > limit and order.open:\n"
         "            total = total + order.price\n"
         "        elif order.late:\n"
         "            total = total - 1\n"
         "    " +
         std::string(verb) +
         "(total)\n"
         "    seen.add(total)\n"
         "    note = '<script>alert(1)</script>'\n"
         "    return total, note\n";
}

std::string branches(int count) {
  std::string out = "def pick(x):\n";
  for (int i = 0; i < count; ++i)
    out += "    if x == " + std::to_string(i) + ":\n        return " + std::to_string(i * 7) + "\n";
  return out + "    return -1\n";
}

constexpr std::string_view kShop =
    "import subprocess\n"
    "import pickle\n"
    "from shop import other\n\n"
    "LIMIT = 3\n\n\n"
    "class Cart:\n"
    "    def __init__(self):\n"
    "        self.a = 1\n"
    "        self.b = 2\n\n"
    "    def first(self):\n"
    "        return self.a\n\n"
    "    def second(self):\n"
    "        return self.b\n\n"
    "    def third(self):\n"
    "        return other.Cart(subprocess.run(['ls']), pickle.loads(b''))\n\n\n"
    "# gatehouse: ignore[dead-code]\n"
    "def silenced(x):\n"
    "    return x\n\n\n"
    "# gatehouse: ignore[no-such-rule]\n"
    "def typed(x: int) -> int:\n"
    "    return x\n";

constexpr std::string_view kCoverage =
    "<coverage><packages><package><classes>"
    "<class filename=\"shop/pick.py\"><lines><line number=\"2\" hits=\"1\"/>"
    "<line number=\"3\" hits=\"0\"/><line number=\"4\" hits=\"0\"/></lines></class>"
    "<class filename=\"shop/cart.py\"><lines><line number=\"13\" hits=\"1\"/></lines></class>"
    "</classes></package></packages></coverage>";

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    kit::write(repo / "shop/__init__.py", "");
    kit::write(repo / "shop/cart.py", kShop);
    kit::write(repo / "shop/other.py",
               "from shop import cart\n\n\nclass Cart(cart.Cart):\n    pass\n");
    kit::write(repo / "shop/pick.py", branches(25));
    kit::write(repo / "shop/one.py", "import shop.pick\n\n\n" + twin("one", "print"));
    kit::write(repo / "shop/two.py", twin("two", "save"));
    kit::write(repo / "shop/<script>alert(2)<script>.py", twin("three", "print"));
    kit::write(repo / "shop/a 'quoted\" name.py", twin("four", "print"));
    kit::write(repo / "shop/right\u202eyp.left.py", twin("five", "print"));
    kit::write(repo / "src/x.js",
               "export function half(a) {\n  if (a) { return eval(a); }\n  return 1;\n}\n");
    kit::write(repo / "coverage.xml", kCoverage);
    kit::write(repo / "gatehouse.yaml",
               "analysis:\n  project_name: \"Shop <img src=x onerror=alert(3)>\"\n");
  }
  Ran run(kit::Words words) const { return kit::run(words, {.cwd = repo}); }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

TEST(AnalysisPage, ShowsInABrowserWhatTheDocumentSays) {
  const World world;
  const Ran made = world.run({kit::gatehouse_binary(), "analyze", "--no-store", "--api-surface",
                              "--coverage", "coverage.xml", "--html", "--json-file"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string folder = (world.repo / "gatehouse-reports").string();
  kit::Words words{".cache/bin/node", "tools/look-at-page.mjs", folder + "/analysis.html",
                   folder + "/analysis.json"};
  if (const char* shots = std::getenv("GH_SCREENSHOTS")) words.emplace_back(shots);
  const Ran looked = kit::run(words, {});
  EXPECT_EQ(looked.exit_code, 0) << looked.out << looked.err;
}

}  // namespace
}  // namespace gh
