// Edits of a small project as commits make them: several files at once, imports that come and go,
// functions that use each other, classes with other bases, copies, files that come, go and move.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/git_sandbox.h"

namespace gh::testing {

class WideEdits {
 public:
  WideEdits(const GitSandbox& repo, unsigned seed) : repo_(repo), random_(seed) {
    for (const std::string& name : kModules)
      write("pkg/" + name + ".py", python(name));
    write("pkg/__init__.py", {"from .core import run0\nfrom .util import *\n"});
    write("pkg/sub/__init__.py", {"__all__ = ['run1']\nfrom pkg.core import run1\n"});
    write("pkg/sub/leaf.py", python("leaf"));
    for (int n = 0; n < 3; ++n)
      write(fmt::format("tests/test_{}.py", n), tests(n));
    write("tests/helpers.py", {"class Helper:\n    def prepare(self):\n        return 1\n\n\n"});
    for (int n = 0; n < 3; ++n) {
      write(fmt::format("web/m{}.js", n), {"import { a } from './m0';\n", script(n)});
      write(fmt::format("go/p{}/a.go", n), {"package p\n", go(n)});
      write(fmt::format("c/m{}.c", n), {"#include \"m0.h\"\n", c(n)});
      write(fmt::format("java/org/M{}.java", n),
            {"package org;\n\n", fmt::format("class M{} {{ int f{}() {{ return 1; }} }}\n", n, n)});
    }
  }

  /// A commit: up to four edits. Says what they are.
  std::string step() {
    std::string out;
    for (std::size_t left = 1 + below(below(3) == 0 ? 4 : 1); left > 0; --left)
      out += edit() + "; ";
    return out;
  }

 private:
  using Parts = std::vector<std::string>;
  inline static const std::array<std::string, 6> kModules{"core",  "util",   "model",
                                                          "views", "orders", "bills"};

  std::size_t below(std::size_t n) { return random_() % n; }
  std::string number() { return std::to_string(below(90) + 10); }
  std::string module() { return kModules[below(kModules.size())]; }
  std::string fresh() { return fmt::format("name{}", ++names_); }
  /// A function that there is, perhaps.
  std::string known() {
    return below(3) == 0 ? fmt::format("name{}", 1 + below(names_ + 1))
                         : fmt::format("run{}", below(kModules.size()));
  }
  std::string class_name() { return fmt::format("Kind{}", below(6)); }

  static std::string function(const std::string& name, const std::string& used) {
    return fmt::format("def {}(x):\n    return {}(x)\n\n\n", name, used);
  }
  /// Long enough for clones of every kind; `odd` is a line of its own.
  std::string long_function(const std::string& name, const std::string& odd) {
    std::string out = fmt::format("def {}(items):\n", name);
    for (int i = 0; i < 12; ++i)
      out += fmt::format("    total{} = handle{}(items, {})\n", i % 3, i, i);
    out += "    " + odd + "\n";
    for (int i = 0; i < 9; ++i)
      out += fmt::format("    note(items, {})\n", i);
    return out + "    return items\n\n\n";
  }
  /// Beyond its limit, with arms that are alike.
  std::string complex_function(const std::string& name) {
    std::string out = fmt::format("def {}(x):\n", name);
    for (int i = 0; i < 22; ++i)
      out += fmt::format("    if x == {}:\n        log(x)\n        return step(x)\n", i);
    return out + "    return x\n\n\n";
  }
  std::string class_text(const std::string& name, const std::string& base) {
    return fmt::format(
        "class {}({}):\n    def {}(self):\n        self.value = {}\n        return self.value\n\n"
        "    def other(self):\n        return {}(self)\n\n\n",
        name, base, known(), number(), known());
  }

  Parts python(const std::string& name) {
    const std::size_t n = names_;
    Parts out{"import os\n", fmt::format("from pkg.{} import run{}\n\n\n", module(), below(6))};
    out.push_back(function(fmt::format("run{}", n % 6), known()));
    out.push_back(function(fresh(), "outer"));
    out.push_back(class_text(fmt::format("Kind{}", n % 6), "object"));
    if (below(2) == 0) out.push_back(long_function(fresh(), "pass"));
    out.push_back(fmt::format("print(run{}(1))\n", n % 6));
    if (name == "core") out.push_back("os.system('ls')\n");
    return out;
  }
  Parts tests(int n) {
    return {"from tests.helpers import Helper\nfrom pkg.core import run0\n\n\n",
            fmt::format("class Test{}(Helper):\n    def test_a(self):\n        run0(1)\n\n\n", n),
            long_function(fmt::format("test_long{}", n), "pass")};
  }
  std::string script(int n) {
    return fmt::format("export function s{}(x) {{ return helper{}(x) + {}; }}\n", n, n, number());
  }
  std::string go(int n) { return fmt::format("func G{}(x int) int {{\n\treturn x\n}}\n", n); }
  std::string c(int n) { return fmt::format("static int c{}(int x) {{ return x + 1; }}\n", n); }

  void write(const std::string& path, Parts parts) {
    files_[path] = std::move(parts);
    save(path);
  }
  void save(const std::string& path) const {
    std::string text;
    for (const std::string& part : files_.at(path))
      text += part;
    repo_.write(path, text);
  }
  void remove(const std::string& path) {
    files_.erase(path);
    std::filesystem::remove(repo_.at(path));
  }

  std::string any_path(std::string_view ending = ".py") {
    Parts paths;
    for (const auto& [path, parts] : files_)
      if (path.ends_with(ending)) paths.push_back(path);
    return paths.empty() ? files_.begin()->first : paths[below(paths.size())];
  }
  std::string production() {
    std::string path = any_path();
    for (int i = 0; i < 8 && path.starts_with("tests/"); ++i)
      path = any_path();
    return path;
  }
  std::string add(const std::string& path, std::string text, bool in_front = false) {
    Parts& parts = files_.at(path);
    parts.insert(in_front ? parts.begin() : parts.end(), std::move(text));
    save(path);
    return path;
  }
  /// A part that has the text is gone; false when there is none.
  bool cut(const std::string& path, std::string_view what) {
    Parts& parts = files_.at(path);
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].find(what) != std::string::npos) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
        save(path);
        return true;
      }
    return false;
  }
  bool replace(const std::string& path, std::string_view what, const std::string& by) {
    for (std::string& part : files_.at(path))
      if (const std::size_t at = part.find(what); at != std::string::npos) {
        part.replace(at, what.size(), by);
        save(path);
        return true;
      }
    return false;
  }

  std::string import_text() {
    switch (below(8)) {
      case 0:
        return fmt::format("import pkg.{}\n", module());
      case 1:
        return fmt::format("from pkg.{} import run{} as {}\n", module(), below(6), fresh());
      case 2:
        return fmt::format("from .{} import {}\n", module(), known());
      case 3:
        return "from collections import OrderedDict\n";
      case 4:
        return fmt::format("from . import {}\n", module());
      case 5:
        return "import json as j\nfrom os import path as where\n";
      case 6:
        return fmt::format("from pkg.{} import *\n", module());
      default:
        return fmt::format("from pkg.{} import {}\n", module(), known());
    }
  }

  std::string mutual(const std::string& path) {
    const std::string a = fresh(), b = fresh(), c = fresh();
    add(path, function(a, b) + function(b, c) + function(c, a));
    if (below(2) == 0) add(below(2) == 0 ? path : production(), fmt::format("print({}(2))\n", a));
    return "functions that use each other in " + path;
  }

  std::string edit() {
    const std::string path = production();
    switch (below(30)) {
      case 0:
      case 1:
      case 2:
        return "an import in " + add(path, import_text(), true);
      case 3:
      case 4:
        cut(path, below(2) == 0 ? "import run" : "import ");
        return "no import in " + path;
      case 5:
      case 6:
        return mutual(path);
      case 7:
        cut(path, "print(");
        return "no call in " + path;
      case 8:
        return "a call in " + add(path, fmt::format("print({}(3))\n", known()));
      case 9:
        return "a function in " + add(path, function(fresh(), known()));
      case 10:
        return "a known function in " + add(path, function(known(), known()));
      case 11:
        cut(path, "def name");
        return "no function in " + path;
      case 12:
        replace(path, "def name", "def renamed_name");
        return "another name in " + path;
      case 13:
        return "a class in " + add(path, class_text(class_name(), class_name()));
      case 14:
        replace(path, "(object)", "(" + class_name() + ")") ||
            replace(path, "(Kind", "(outside.Kind");
        return "another base in " + path;
      case 15:
        replace(path, "    def other(self", fmt::format("    def {}(self", known()));
        return "another method in " + path;
      case 16:
      case 17:
        return "a long function in " +
               add(path, long_function(fresh(), below(2) == 0 ? "pass" : "odd(" + number() + ")"));
      case 18:
        replace(path, "    pass\n", fmt::format("    changed({})\n", number()));
        return "a changed copy in " + path;
      case 19:
        return "a line above all in " + add(path, "\n", true);
      case 20:
        return "a complex function in " + add(path, complex_function(fresh()));
      case 21:
        return "a way out in " + add(path, "os.system('" + known() + "')\n");
      case 22: {
        const std::string to = fmt::format("pkg/{}{}.py", below(2) == 0 ? "" : "sub/", fresh());
        write(to, python(to));
        return "a new file " + to;
      }
      case 23:
        if (files_.size() > 20 && !path.ends_with("__init__.py")) remove(path);
        return "no " + path;
      case 24: {
        if (path.ends_with("__init__.py")) return "nothing";
        const std::string to = path.substr(0, path.size() - 3) + "/__init__.py";
        const Parts parts = files_.at(path);
        remove(path);
        write(to, parts);
        return path + " is a package now";
      }
      case 25: {
        const std::string test = any_path("_0.py");
        return "a test in " +
               add(test, fmt::format("class Test{0}(Helper):\n    def test_{0}(self):\n"
                                     "        assert {1}(1)\n\n\n",
                                     fresh(), known()));
      }
      case 26: {
        const std::string to = fmt::format("tests/test_{}.py", fresh());
        write(to, tests(7));
        return "a new file of tests " + to;
      }
      case 27:
        replace("tests/helpers.py", "def prepare", "def " + fresh());
        return "another helper";
      case 28: {
        static constexpr std::array<std::string_view, 4> kEndings{".js", ".go", ".c", ".java"};
        const std::string other = any_path(kEndings[below(kEndings.size())]);
        return "a part of " +
               add(other, other.ends_with(".js")   ? script(9)
                          : other.ends_with(".go") ? "func Later(x int) int {\n\treturn x\n}\n"
                          : other.ends_with(".c")  ? "int later(int x) { return c1(x); }\n"
                                                   : "class Later { int g() { return 2; } }\n");
      }
      default:
        repo_.write("CODEOWNERS", "* @" + fresh() + "\n");
        return "who owns it";
    }
  }

  const GitSandbox& repo_;
  std::mt19937 random_;
  std::size_t names_ = 0;
  std::map<std::string, Parts> files_{};
};

}  // namespace gh::testing
