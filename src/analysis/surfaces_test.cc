// docs/reference/analysis.md, "Security surfaces": how names become known, and what the report
// says.
#include "analysis/surfaces.h"

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/known_facts.h"
#include "analysis/measures.h"
#include "analysis/surface_kit.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using syntax::Language;
using Texts = std::vector<std::string>;

Texts lines_in(const Project& project) {
  Texts out;
  for (const Surface& s : surfaces_of(project))
    out.push_back(line_of(s));
  return out;
}

Texts python(const std::string& source) { return reached(Language::python, "m.py", source); }
Texts javascript(const std::string& source) {
  return reached(Language::javascript, "m.js", source);
}

TEST(SecuritySurfaces, ANameThatIsShadowedIsNotTheImportedOne) {
  EXPECT_EQ(python("import os\nimport subprocess\n"
                   "def f(os): os.system('x')\n"
                   "def g():\n    os = Fake()\n    os.system('x')\n"
                   "def h(subprocess=None):\n    subprocess.run(['x'])\n"
                   "def i(xs):\n    return [os.system('x') for os in xs]\n"
                   "def j(eval): return eval('x')\n"
                   "k = lambda os: os.system('x')\n"),
            (Texts{"subprocess_import@m"}));
  EXPECT_EQ(python("import os\n"
                   "def a(xs):\n    [os for os in xs]\n    os.system('x')\n"
                   "def b():\n    import os\n    os.system('x')\n"
                   "def c():\n    try:\n        import os\n    except ImportError:\n"
                   "        os = None\n    os.system('x')\n"
                   "class K:\n    os = 1\n    def d(self): os.system('x')\n"
                   "def e():\n    global os\n    os = g(os)\n    os.system('x')\n"),
            (Texts{"os_system@m:a", "os_system@m:b", "os_system@m:c", "os_system@m:K.d",
                   "os_system@m:e"}));
  EXPECT_EQ(javascript("import fs from 'fs';\nimport { exec } from 'child_process';\n"
                       "function f(fs) { fs.writeFileSync('a'); }\n"
                       "function g() { const exec = () => 1; exec('x'); }\n"
                       "function h({ fs }) { fs.unlinkSync('a'); }\n"
                       "for (const fs of xs) { fs.unlinkSync('a'); }\n"
                       "class K { constructor(fetch) { fetch('x'); } }\n"),
            (Texts{"child_process_import@m"}));
  EXPECT_EQ(javascript("import fs from 'fs';\n"
                       "function f(a) { if (a) { const fs = 1; } fs.unlinkSync('a'); }\n"
                       "function g() { const fs = require('fs'); fs.unlinkSync('a'); }\n"),
            (Texts{"fs_unlink_sync@m:f", "fs_unlink_sync@m:g"}));
  const auto go = [](const std::string& source) {
    return reached(Language::go, "m.go", "package m\nimport \"os\"\n" + source);
  };
  EXPECT_EQ(go("func f(os fk) { os.Remove(\"x\") }\n"
               "func g() { os := fk{}; os.Remove(\"x\") }\n"),
            Texts{});
  EXPECT_EQ(go("func f() { os := os.Remove(\"x\"); _ = os }\n"
               "func g(a bool) { if a { os := fk{}; os.Run() }; os.Remove(\"x\") }\n")
                .size(),
            2u);
}

constexpr std::string_view kWorked =
    "import os, subprocess\n"
    "from subprocess import run as r\n"
    "import pickle as p\n"
    "from pathlib import Path\n"
    "eval(\"1\")\n"
    "def f(x):\n"
    "    r([x])\n"
    "    os.system(x)\n"
    "    p.loads(x)\n"
    "    open(x, \"w\")\n"
    "    open(x)\n"
    "    Path(x).write_text(x)\n"
    "    x.unlink()\n";

TEST(SecuritySurfaces, TheWorkedExampleHasNineItems) {
  EXPECT_EQ(lines_in(one_file(Language::python, "pkg/m.py", std::string(kWorked))),
            (Texts{"process_boundary subprocess_import import subprocess pkg.m 1-1",
                   "process_boundary subprocess_import import subprocess pkg.m 2-2",
                   "deserialization pickle_import import pickle pkg.m 3-3",
                   "dynamic_execution dynamic_eval builtin eval pkg.m 5-5",
                   "process_boundary subprocess_run call subprocess.run pkg.m:f 7-7",
                   "process_boundary os_system call os.system pkg.m:f 8-8",
                   "deserialization pickle_loads call pickle.loads pkg.m:f 9-9",
                   "filesystem_mutation builtin_open_write builtin open[mode=w] pkg.m:f 10-10",
                   "filesystem_mutation pathlib_write_text call pathlib.Path().write_text pkg.m:f "
                   "12-12"}));
}

TEST(SecuritySurfaces, TheFamilyHasItemsAndASummary) {
  const Project project = one_file(Language::python, "tests/m.py",
                                   "import socket\nclass K:\n    import ssl\n    def g(self):\n"
                                   "        eval(\n            self)\n");
  const Map family = surface_family(surfaces_of(project));
  EXPECT_EQ(wire::canonical_json(*family.find("summary")),
            R"({"by_source_kind":{"tests":3},"categories":{"crypto_transport":1,)"
            R"("dynamic_execution":1,"network_boundary":1},"category_count":3,"exact_items":3,)"
            R"("items":3,"modules":1})");
  const List& items = *family.find("items")->as_list();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(wire::canonical_json(items[2]),
            R"({"capability":"dynamic_eval","category":"dynamic_execution",)"
            R"("classification_mode":"exact_builtin","end_line":6,"evidence_kind":"builtin",)"
            R"("evidence_symbol":"eval","location_scope":"callable","module":"tests.m",)"
            R"("qualname":"tests.m:K.g","relative_path":"tests/m.py","source_kind":"tests",)"
            R"("start_line":5})");
  EXPECT_EQ(*items[0].as_map()->find("location_scope")->as_string(), "module");
  EXPECT_EQ(*items[1].as_map()->find("location_scope")->as_string(), "class");
  EXPECT_EQ(*items[1].as_map()->find("qualname")->as_string(), "tests.m:K");
}

TEST(SecuritySurfaces, ModesAndFlagsDecideWhetherAFileIsWritten) {
  EXPECT_EQ(python("open(x, mode='a')\n"), Texts{"builtin_open_write@m"});
  EXPECT_EQ(python("open(x, 'r+b')\n"), Texts{"builtin_open_write@m"});
  EXPECT_EQ(python("open(x, 'rb')\nopen(x, mode)\nopen(*x)\nopen(x, encoding='w')\n"), Texts{});
  EXPECT_EQ(python("import pathlib\npathlib.Path(x).open('x')\npathlib.Path(x).open()\n"),
            Texts{"pathlib_open_write@m"});
  EXPECT_EQ(reached(Language::c, "m.c", "void f(void) { open(p, O_RDONLY); fopen(p, \"r\"); }\n"),
            Texts{});
  EXPECT_EQ(reached(Language::go, "m.go",
                    "package m\nimport \"os\"\nfunc f() { os.OpenFile(p, os.O_RDONLY, 0) }\n"),
            Texts{});
}

TEST(SecuritySurfaces, EveryFlagOfWritingAndEveryHomeOfBareNamesCounts) {
  for (const char* word : {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"})
    EXPECT_EQ(reached(Language::c, "m.c", "void f(void) { open(p, " + std::string(word) + "); }\n"),
              Texts{"libc_open_write@m:f"})
        << word;
  for (const char* home : {"globalThis", "window", "global"})
    EXPECT_EQ(javascript(std::string(home) + ".eval(x);\n"), Texts{"dynamic_eval@m"}) << home;
  EXPECT_EQ(python("__builtins__.eval(x)\n"), Texts{"dynamic_eval@m"});
  EXPECT_EQ(reached(Language::java, "A.java",
                    "class A { void f() { new java.lang.ProcessBuilder(x); } }\n"),
            Texts{"process_builder@A:A.f"});
}

TEST(SecuritySurfaces, ModesFollowFromTheEvidence) {
  EXPECT_EQ(mode_name(Evidence::imported), "exact_import");
  EXPECT_EQ(mode_name(Evidence::builtin), "exact_builtin");
  EXPECT_EQ(mode_name(Evidence::called), "exact_call");
}

TEST(SecuritySurfaces, RelativeAndTypingImportsAreLeftOut) {
  EXPECT_EQ(python("from . import socket\nfrom .pickle import loads\nloads(x)\n"), Texts{});
  EXPECT_EQ(python("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import socket\n"
                   "    eval(x)\nelse:\n    import ssl\n"),
            Texts{"ssl_import@m"});
  EXPECT_EQ(reached(Language::typescript, "m.ts",
                    "import type { Server } from 'net';\nimport { type A } from 'http';\n"
                    "let x: typeof import('vm');\nimport { Socket } from './net';\n"),
            Texts{});
  EXPECT_EQ(reached(Language::c, "m.c", "#include \"sys/socket.h\"\n"), Texts{});
  EXPECT_EQ(reached(Language::rust, "m.rs", "mod tar;\nuse crate::zip;\nuse super::redis;\n"),
            Texts{});
}

TEST(SecuritySurfaces, OneStatementIsOneItemPerCapability) {
  EXPECT_EQ(python("import urllib.request, urllib.parse\n"),
            (Texts{"urllib_import@m", "urllib_import@m"}))
      << "two modules";
  EXPECT_EQ(python("from socket import a, b, c\n"), Texts{"socket_import@m"});
  EXPECT_EQ(python("from http import server\nfrom django import http, forms\n"),
            (Texts{"http_server_import@m", "django_http_import@m"}));
  EXPECT_EQ(python("eval(x); eval(y)\n"), Texts{"dynamic_eval@m"});
}

TEST(SecuritySurfaces, WhatAFileDeclaresItselfIsItsOwn) {
  EXPECT_EQ(python("def eval(x): pass\neval(1)\n"), Texts{});
  EXPECT_EQ(python("def f(open):\n    open(x, 'w')\nopen(x, 'w')\n"),
            Texts{"builtin_open_write@m"});
  EXPECT_EQ(python("class A:\n    def open(self): pass\n    def g(self):\n"
                   "        open(x, 'w')\n        self.open(x, 'w')\n"),
            Texts{"builtin_open_write@m:A.g"})
      << "a method has no bare name";
  EXPECT_EQ(python("from mine import eval\neval(1)\n"), Texts{});
  EXPECT_EQ(python("os = fake()\nos.system(x)\n"), Texts{}) << "os was not imported";
  EXPECT_EQ(reached(Language::cpp, "m.cc",
                    "struct A { int unlink(int p) { return p; } int g() { return unlink(1); } };\n"
                    "extern int system(const char*);\nvoid f() { system(x); }\n"),
            Texts{"libc_system@m:f"});
  EXPECT_EQ(javascript("function fetch(u) {}\nfetch(1);\n"), Texts{});
}

TEST(SecuritySurfaces, PythonNamesComeFromImportsStarsAndBuiltins) {
  EXPECT_EQ(python("from os import *\nsystem(x)\n"), Texts{"os_system@m"});
  EXPECT_EQ(python("import builtins\nbuiltins.eval(x)\n"), Texts{"dynamic_eval@m"});
  EXPECT_EQ(python("import importlib.util as u\nu.spec_from_file_location(x)\n"),
            (Texts{"importlib_import@m", "importlib_spec_from_file_location@m"}));
  EXPECT_EQ(python("from pathlib import Path as P\nP(x).unlink()\nP.unlink(x)\n"),
            Texts{"pathlib_unlink@m"});
  EXPECT_EQ(python("@eval\ndef f(): pass\n@g(eval(x))\ndef h(): pass\n"), Texts{"dynamic_eval@m"})
      << "a decorator stands outside of what it decorates";
}

TEST(SecuritySurfaces, PythonCallablesThatAreHandedOnAreItems) {
  EXPECT_EQ(python("import os\ndef f(x):\n    return map(os.system, [x])\n"),
            Texts{"os_system@m:f"});
  EXPECT_EQ(python("import os\nrun = os.system\nrun(x)\n"), Texts{"os_system@m"});
  EXPECT_EQ(python("from os import system as s\ng(key=s)\n"), Texts{"os_system@m"});
  EXPECT_EQ(python("def f(xs):\n    return map(eval, xs)\n"), Texts{"dynamic_eval@m:f"});
  EXPECT_EQ(python("def f(eval):\n    g(eval)\n    x = eval\n"), Texts{}) << "its own";
  EXPECT_EQ(python("import os\nos.system = fake\nx: os.system = 1\n"), Texts{}) << "no value";
  EXPECT_EQ(python("f = open\ng(open)\n"), Texts{}) << "whether it writes is not known";
  const Texts import = python("import subprocess\n");
  EXPECT_EQ(python("import subprocess\nisinstance(p, subprocess.Popen)\n"
                   "issubclass(p, subprocess.Popen)\n"),
            import)
      << "only types";
  EXPECT_NE(python("import subprocess\ng(p, subprocess.Popen)\n"), import);
}

TEST(SecuritySurfaces, JavaScriptKnowsRequireInEveryForm) {
  EXPECT_EQ(javascript("const cp = require('node:child_process');\ncp.exec(x);\n"),
            (Texts{"child_process_import@m", "child_process_exec@m"}));
  EXPECT_EQ(javascript("const { exec, spawn: s } = require('child_process');\nexec(x);\ns(x);\n"),
            (Texts{"child_process_import@m", "child_process_exec@m", "child_process_spawn@m"}));
  EXPECT_EQ(javascript("require('child_process').exec(x);\n"),
            (Texts{"child_process_exec@m", "child_process_import@m"}));
  EXPECT_EQ(javascript("import fs, { writeFile as w } from 'fs';\nfs.rm(x);\nw(x);\n"),
            (Texts{"fs_rm@m", "fs_write_file@m"}));
  EXPECT_EQ(javascript("import { writeFile } from 'fs/promises';\nwriteFile(x);\n"),
            Texts{"fs_promises_write_file@m"});
  EXPECT_EQ(
      javascript("async function f() { const vm = await import('vm'); vm.runInContext(x); }\n"),
      (Texts{"vm_import@m:f", "vm_run_in_context@m:f"}));
  EXPECT_EQ(javascript("new Function(x);\nglobalThis.eval(x);\nnew WebSocket(x);\n"),
            (Texts{"dynamic_function@m", "dynamic_eval@m", "global_web_socket@m"}));
  EXPECT_EQ(javascript("require(x);\nimport(`./${x}`);\nrequire('./y');\n"),
            (Texts{"dynamic_require@m", "dynamic_import@m"}));
  EXPECT_EQ(javascript("cp.exec(x);\nthis.fetch(x);\n"), Texts{});
}

TEST(SecuritySurfaces, CppFollowsAliasesAndTypesOfVariables) {
  EXPECT_EQ(reached(Language::cpp, "m.cc",
                    "namespace fs = std::filesystem;\nusing std::rename;\n"
                    "void f() { fs::remove_all(x); std::ofstream out(x); rename(x, y); }\n"),
            (Texts{"filesystem_remove_all@m:f", "std_ofstream@m:f", "std_rename@m:f"}));
  EXPECT_EQ(reached(Language::cpp, "m.cc",
                    "using namespace std;\nvoid f() { ofstream o{x}; auto p = new fstream(x); }\n"),
            (Texts{"std_fstream@m:f", "std_ofstream@m:f"}));
  EXPECT_EQ(reached(Language::cpp, "m.cc", "void f() { connect(a, b); v.remove(x); bind(g); }\n"),
            Texts{})
      << "too often something else";
}

TEST(SecuritySurfaces, GoRustAndJavaNamesAreResolved) {
  EXPECT_EQ(reached(Language::go, "p/m.go",
                    "package p\nimport e \"os/exec\"\nimport . \"os\"\n"
                    "func f() { e.Command(x); Remove(x) }\n"),
            (Texts{"os_exec_import@p", "os_remove@p:f", "exec_command@p:f"}));
  EXPECT_EQ(reached(Language::go, "p/m.go",
                    "package p\nimport \"golang.org/x/crypto/bcrypt\"\nimport \"crypto/tls\"\n"),
            (Texts{"crypto_bcrypt_import@p", "crypto_import@p"}))
      << "the longest row decides";
  EXPECT_EQ(reached(Language::rust, "src/m.rs",
                    "use std::process::{self, Command};\nuse std::fs::*;\n"
                    "fn f() { Command::new(x).spawn(); process::Command::new(x); write(x, y);\n"
                    "  let y = unsafe { *p }; unsafe { g() } }\n"),
            (Texts{"std_process_command_import@crate.m", "fs_write@crate.m:f",
                   "process_command_new@crate.m:f", "unsafe_block@crate.m:f"}));
  EXPECT_EQ(reached(Language::java, "p/A.java",
                    "import java.io.*;\nimport static java.nio.file.Files.write;\n"
                    "import java.net.URLClassLoader;\n"
                    "class A { void f() { new FileWriter(x); write(x); }\n"
                    "  void f(int y) { java.lang.Runtime.getRuntime().exec(x); } }\n"),
            (Texts{"java_net_urlclass_loader_import@p.A", "file_writer@p.A:A.f/0",
                   "files_write@p.A:A.f/0", "runtime_get_runtime_exec@p.A:A.f/1"}));
}

TEST(SecuritySurfaces, FactsSurviveTheCache) {
  const FileFacts facts = Extractor().facts_of(Language::python, kWorked);
  const auto again = facts_from_bytes(facts_to_bytes(facts));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->surfaces, facts.surfaces);
  EXPECT_EQ(facts.surfaces.size(), 9u);
}

TEST(SecuritySurfaces, LongChainsAreNotFollowedForLong) {
  std::string source = "import os\nx";
  for (int i = 0; i < 1000; ++i)
    source += ".run().open()";
  EXPECT_EQ(python(source + "\nos.system(x)\n"), Texts{"os_system@m"});
}

TEST(SecuritySurfaces, MeasuresNameThemByCategoryForGates) {
  const Project project = one_file(Language::python, "m.py", std::string(kWorked));
  const Measures measures = measure(project, find_all(project));
  EXPECT_EQ(
      measures.security.at("process_boundary"),
      (Texts{"m subprocess_import", "m subprocess_import", "m:f os_system", "m:f subprocess_run"}));
  EXPECT_EQ(measures.security.at("dynamic_execution"), Texts{"m dynamic_eval"});
  EXPECT_EQ(measures.security.size(), 4u);
}

TEST(SecuritySurfaces, MeasuresHoldOneEntryForEachItem) {
  const Project project = one_file(Language::python, "m.py",
                                   "import os\ndef f():\n    os.system('a')\n    os.system('b')\n");
  EXPECT_EQ(measure(project, find_all(project)).security.at("process_boundary"),
            (Texts{"m:f os_system", "m:f os_system"}));
}

TEST(SecuritySurfaces, AMethodOrAPropertyOfThatNameHidesNoGlobal) {
  for (const char* source :
       {"class Client { fetch(u) { return fetch(u); } }\n",
        "class Client { fetch = (u) => fetch(u); }\n",
        "class Client { static fetch(u) { return fetch(u); } }\n",
        "const o = { fetch: (u) => fetch(u) };\n", "const o = { fetch(u) { return fetch(u); } };\n",
        "exports.fetch = function (u) { return fetch(u); };\n"}) {
    EXPECT_EQ(reached(Language::javascript, "m.js", source).size(), 1u) << source;
    EXPECT_EQ(reached(Language::typescript, "m.ts", source).size(), 1u) << source;
  }
  EXPECT_EQ(javascript("class K { eval(s) { return eval(s); } }\n"),
            (Texts{"dynamic_eval@m:K.eval"}));
  EXPECT_EQ(javascript("function fetch(u) { }\nclass K { m() { return fetch(1); } }\n"), Texts{});
  EXPECT_EQ(javascript("const fetch = (u) => 1;\nfetch(1);\n"), Texts{});
  for (const char* source :
       {"struct ops { int (*system)(int); };\nint f(void) { return system(\"ls\"); }\n",
        "typedef struct { int system; } ops;\nint f(void) { return system(\"ls\"); }\n",
        "union u { int system; };\nint f(void) { struct { int system; } q; return system(\"ls\"); "
        "}\n"})
    EXPECT_EQ(reached(Language::c, "m.c", source).size(), 1u) << source;
  EXPECT_EQ(
      reached(Language::c, "m.c", "enum e { system };\nint f(void) { return system(\"ls\"); }\n"),
      Texts{});
}

}  // namespace
}  // namespace gh::analysis
