// The table of security surfaces of Python and the row of the other languages, typed again from the
// specification: whole files as people write them, not one snippet for each row of the product.
#include <set>

#include <gtest/gtest.h>

#include "analysis/surface_kit.h"

namespace gh::analysis {
namespace {

using syntax::Language;
using Texts = std::vector<std::string>;

/// "category capability" of everything in a file, in the order of the file, each once.
Texts told(Language language, const std::string& path, const std::string& source) {
  Texts out;
  std::set<std::string> seen;
  const Project project = one_file(language, path, source);
  for (const Surface& s : surfaces_of(project)) {
    const std::string line =
        std::string(to_string(s.row->category)) + " " + std::string(s.row->capability);
    if (seen.insert(line).second) out.push_back(line);
  }
  return out;
}

Texts python(const std::string& source) { return told(Language::python, "m.py", source); }

/// Every capability of the list in one category.
Texts all_of(const std::string& category, const Texts& capabilities) {
  Texts out;
  for (const std::string& capability : capabilities)
    out.push_back(category + " " + capability);
  return out;
}

std::set<std::string> categories(const Texts& lines) {
  std::set<std::string> out;
  for (const std::string& line : lines)
    out.insert(line.substr(0, line.find(' ')));
  return out;
}

TEST(SurfaceSpecification, ProcessBoundaryOfPython) {
  EXPECT_EQ(
      python("import subprocess as sp, os, pty\n"
             "from asyncio import create_subprocess_exec as spawn, create_subprocess_shell\n"
             "sp.run(a)\n"
             "sp.call(a)\n"
             "sp.check_call(a)\n"
             "sp.check_output(a)\n"
             "sp.Popen(a)\n"
             "os.system(a)\n"
             "pty.spawn(a)\n"
             "spawn(a)\n"
             "create_subprocess_shell(a)\n"),
      all_of("process_boundary",
             {"subprocess_import", "subprocess_run", "subprocess_call", "subprocess_check_call",
              "subprocess_check_output", "subprocess_popen", "os_system", "pty_spawn",
              "asyncio_create_subprocess_exec", "asyncio_create_subprocess_shell"}));
  // os.spawn*: one line for each function of the module os that begins so.
  for (const char* end : {"l", "le", "lp", "lpe", "v", "ve", "vp", "vpe"})
    EXPECT_EQ(python("import os\nos.spawn" + std::string(end) + "(os.P_WAIT, a, b)\n"),
              Texts{"process_boundary os_spawn" + std::string(end)});
}

TEST(SurfaceSpecification, DynamicExecutionAndLoadingOfPython) {
  EXPECT_EQ(python("eval(a)\nexec(a)\ncompile(a, b, c)\n"),
            all_of("dynamic_execution", {"dynamic_eval", "dynamic_exec", "dynamic_compile"}));
  EXPECT_EQ(python("from importlib import import_module, util\nimport runpy\n"
                   "__import__(a)\n"
                   "import_module(a)\n"
                   "util.spec_from_file_location(a, b)\n"
                   "runpy.run_module(a)\n"
                   "runpy.run_path(a)\n"),
            all_of("dynamic_loading",
                   {"importlib_import", "runpy_import", "dynamic_import", "importlib_import_module",
                    "importlib_spec_from_file_location", "runpy_run_module", "runpy_run_path"}));
}

TEST(SurfaceSpecification, DeserializationOfPython) {
  EXPECT_EQ(python("import shelve\n"
                   "from ruamel.yaml import YAML\n"
                   "import pickle\npickle.load(f)\npickle.loads(b)\n"
                   "import cloudpickle\ncloudpickle.load(f)\ncloudpickle.loads(b)\n"
                   "import dill\ndill.load(f)\ndill.loads(b)\n"
                   "import marshal\nmarshal.load(f)\nmarshal.loads(b)\n"
                   "import jsonpickle\njsonpickle.decode(b)\n"
                   "import yaml\nyaml.load(f)\nyaml.unsafe_load(f)\n"),
            all_of("deserialization",
                   {"shelve_import", "ruamel_yaml_import", "pickle_import", "pickle_load",
                    "pickle_loads", "cloudpickle_import", "cloudpickle_load", "cloudpickle_loads",
                    "dill_import", "dill_load", "dill_loads", "marshal_import", "marshal_load",
                    "marshal_loads", "jsonpickle_import", "jsonpickle_decode", "yaml_import",
                    "yaml_load", "yaml_unsafe_load"}));
}

/// The prefix is a whole word of the dotted name: a module below it counts, a longer word does not.
TEST(SurfaceSpecification, ImportsOfPythonByTheirPrefixes) {
  struct Row {
    const char *category, *prefix, *capability;
  };
  for (const Row& row : {
           Row{"process_boundary", "subprocess", "subprocess_import"},
           Row{"dynamic_loading", "importlib", "importlib_import"},
           Row{"dynamic_loading", "runpy", "runpy_import"},
           Row{"deserialization", "pickle", "pickle_import"},
           Row{"deserialization", "cloudpickle", "cloudpickle_import"},
           Row{"deserialization", "dill", "dill_import"},
           Row{"deserialization", "jsonpickle", "jsonpickle_import"},
           Row{"deserialization", "marshal", "marshal_import"},
           Row{"deserialization", "shelve", "shelve_import"},
           Row{"deserialization", "yaml", "yaml_import"},
           Row{"deserialization", "ruamel.yaml", "ruamel_yaml_import"},
           Row{"network_boundary", "aiohttp", "aiohttp_import"},
           Row{"network_boundary", "django.http", "django_http_import"},
           Row{"network_boundary", "fastapi", "fastapi_import"},
           Row{"network_boundary", "flask", "flask_import"},
           Row{"network_boundary", "grpc", "grpc_import"},
           Row{"network_boundary", "http.server", "http_server_import"},
           Row{"network_boundary", "httpx", "httpx_import"},
           Row{"network_boundary", "requests", "requests_import"},
           Row{"network_boundary", "socket", "socket_import"},
           Row{"network_boundary", "urllib", "urllib_import"},
           Row{"network_boundary", "websockets", "websockets_import"},
           Row{"database_boundary", "asyncpg", "asyncpg_import"},
           Row{"database_boundary", "psycopg", "psycopg_import"},
           Row{"database_boundary", "psycopg2", "psycopg2_import"},
           Row{"database_boundary", "pymysql", "pymysql_import"},
           Row{"database_boundary", "redis", "redis_import"},
           Row{"database_boundary", "sqlalchemy", "sqlalchemy_import"},
           Row{"database_boundary", "sqlite3", "sqlite3_import"},
           Row{"crypto_transport", "cryptography", "cryptography_import"},
           Row{"crypto_transport", "hmac", "hmac_import"},
           Row{"crypto_transport", "OpenSSL", "openssl_import"},
           Row{"crypto_transport", "secrets", "secrets_import"},
           Row{"crypto_transport", "ssl", "ssl_import"},
           Row{"identity_token", "authlib", "authlib_import"},
           Row{"identity_token", "bcrypt", "bcrypt_import"},
           Row{"identity_token", "itsdangerous", "itsdangerous_import"},
           Row{"identity_token", "jwt", "jwt_import"},
           Row{"identity_token", "passlib", "passlib_import"},
           Row{"archive_extraction", "tarfile", "tarfile_import"},
           Row{"archive_extraction", "zipfile", "zipfile_import"},
       }) {
    const std::string prefix = row.prefix;
    const Texts one{std::string(row.category) + " " + row.capability};
    EXPECT_EQ(python("import " + prefix + "\n"), one);
    EXPECT_EQ(python("import " + prefix + ".below as b\n"), one);
    EXPECT_EQ(python("def f():\n    from " + prefix + " import anything\n"), one);
    EXPECT_EQ(python("from " + prefix + ".below.more import anything\n"), one);
    EXPECT_EQ(python("import " + prefix + "_more\n"), Texts{}) << prefix;
    EXPECT_EQ(python("from ." + prefix + " import anything\n"), Texts{}) << prefix;
  }
}

TEST(SurfaceSpecification, ArchivesAndFilesOfPython) {
  EXPECT_EQ(
      python("import tarfile, zipfile, shutil\n"
             "tarfile.open(a).extract(b)\ntarfile.open(a).extractall(b)\n"
             "tarfile.open(a).extractfile(b)\n"
             "zipfile.ZipFile(a).extract(b)\nzipfile.ZipFile(a).extractall(b)\n"
             "shutil.unpack_archive(a)\n"),
      all_of("archive_extraction", {"tarfile_import", "zipfile_import", "tarfile_extract",
                                    "tarfile_extractall", "tarfile_extractfile", "zipfile_extract",
                                    "zipfile_extractall", "shutil_unpack_archive"}));
  EXPECT_EQ(python("import os, shutil, tempfile\n"
                   "os.chmod(a)\nos.chown(a)\nos.makedirs(a)\nos.remove(a)\nos.rename(a)\n"
                   "os.replace(a)\nos.rmdir(a)\nos.unlink(a)\n"
                   "shutil.move(a)\nshutil.rmtree(a)\n"
                   "tempfile.mkdtemp()\ntempfile.NamedTemporaryFile()\n"),
            all_of("filesystem_mutation",
                   {"os_chmod", "os_chown", "os_makedirs", "os_remove", "os_rename", "os_replace",
                    "os_rmdir", "os_unlink", "shutil_move", "shutil_rmtree", "tempfile_mkdtemp",
                    "tempfile_named_temporary_file"}));
  EXPECT_EQ(python("from pathlib import Path\n"
                   "Path(a).chmod(b)\nPath(a).mkdir()\nPath(a).open('w')\nPath(a).rename(b)\n"
                   "Path(a).replace(b)\nPath(a).rmdir()\nPath(a).touch()\nPath(a).unlink()\n"
                   "Path(a).write_bytes(b)\nPath(a).write_text(b)\n"),
            all_of("filesystem_mutation",
                   {"pathlib_chmod", "pathlib_mkdir", "pathlib_open_write", "pathlib_rename",
                    "pathlib_replace", "pathlib_rmdir", "pathlib_touch", "pathlib_unlink",
                    "pathlib_write_bytes", "pathlib_write_text"}));
  for (const char* mode : {"w", "a", "x", "r+", "wb", "ab", "xt", "rb+"})
    EXPECT_EQ(python("open(p, '" + std::string(mode) + "')\n"),
              Texts{"filesystem_mutation builtin_open_write"})
        << mode;
}

TEST(SurfaceSpecification, WhatStandsInNoCellOfThePythonTableIsNone) {
  EXPECT_EQ(
      python("import os, json, http.client, django.forms, shutil, tempfile, socketserver, ruamel\n"
             "from pathlib import Path\n"
             "import http, django\n"
             "os.getcwd()\nos.listdir(a)\nos.path.exists(a)\nos.mkdir(a)\n"
             "shutil.copy(a, b)\ntempfile.mkstemp()\njson.loads(a)\n"
             "Path(a).read_text()\nPath(a).exists()\nPath(a).open()\nPath(a).open('rb')\n"
             "open(a)\nopen(a, 'r')\nopen(a, 'rb')\n"
             "a.system(b)\na.run(b)\na.loads(b)\na.extractall()\nself.eval(b)\nre.compile(b)\n"),
      Texts{});
  EXPECT_EQ(python("import yaml\nyaml.safe_load(f)\n"), Texts{"deserialization yaml_import"});
}

/// Section 23, row "security table": every word of every cell is a surface of its category.
TEST(SurfaceSpecification, WordsOfTheOtherLanguages) {
  struct Row {
    Language language;
    const char *path, *source, *category;
  };
  for (const Row& row : {
           // C: system popen exec* dlopen strcpy family, sockets
           Row{Language::c, "m.c", "void f(void) { system(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { popen(a, b); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execl(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execlp(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execle(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execv(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execvp(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { execve(a); }\n", "process_boundary"},
           Row{Language::c, "m.c", "void f(void) { dlopen(a, b); }\n", "dynamic_loading"},
           Row{Language::c, "m.c", "#include <sys/socket.h>\n", "network_boundary"},
           // C++: and std::system, operations of filesystem
           Row{Language::cpp, "m.cc", "void f() { std::system(a); }\n", "process_boundary"},
           Row{Language::cpp, "m.cc", "void f() { system(a); }\n", "process_boundary"},
           Row{Language::cpp, "m.cc", "void f() { dlopen(a, b); }\n", "dynamic_loading"},
           Row{Language::cpp, "m.cc", "void f() { std::filesystem::remove(a); }\n",
               "filesystem_mutation"},
           Row{Language::cpp, "m.cc", "void f() { std::filesystem::remove_all(a); }\n",
               "filesystem_mutation"},
           Row{Language::cpp, "m.cc", "void f() { std::filesystem::rename(a, b); }\n",
               "filesystem_mutation"},
           Row{Language::cpp, "m.cc", "void f() { std::filesystem::create_directories(a); }\n",
               "filesystem_mutation"},
           // JavaScript and TypeScript: child_process, eval, Function, vm, fs writes, net/http,
           // fetch
           Row{Language::javascript, "m.js", "require('child_process');\n", "process_boundary"},
           Row{Language::typescript, "m.ts", "import cp from 'child_process';\n",
               "process_boundary"},
           Row{Language::javascript, "m.js", "eval(a);\n", "dynamic_execution"},
           Row{Language::typescript, "m.ts", "eval(a);\n", "dynamic_execution"},
           Row{Language::javascript, "m.js", "new Function(a);\n", "dynamic_execution"},
           Row{Language::javascript, "m.js", "require('vm');\n", "dynamic_execution"},
           Row{Language::javascript, "m.js", "const fs = require('fs');\nfs.writeFileSync(a, b);\n",
               "filesystem_mutation"},
           Row{Language::javascript, "m.js", "import { unlink } from 'fs';\nunlink(a);\n",
               "filesystem_mutation"},
           Row{Language::javascript, "m.js", "import net from 'net';\n", "network_boundary"},
           Row{Language::javascript, "m.js", "import http from 'http';\n", "network_boundary"},
           Row{Language::javascript, "m.js", "fetch(a);\n", "network_boundary"},
           Row{Language::tsx, "m.tsx", "fetch(a);\n", "network_boundary"},
           // Go: os/exec, plugin, unsafe, net, os file operations
           Row{Language::go, "m.go", "package m\nimport \"os/exec\"\n", "process_boundary"},
           Row{Language::go, "m.go", "package m\nimport \"plugin\"\n", "dynamic_loading"},
           Row{Language::go, "m.go", "package m\nimport \"net\"\n", "network_boundary"},
           Row{Language::go, "m.go", "package m\nimport \"net/http\"\n", "network_boundary"},
           Row{Language::go, "m.go", "package m\nimport \"os\"\nfunc f() { os.Remove(a) }\n",
               "filesystem_mutation"},
           Row{Language::go, "m.go",
               "package m\nimport \"os\"\nfunc f() { os.WriteFile(a, b, c) }\n",
               "filesystem_mutation"},
           Row{Language::go, "m.go", "package m\nimport \"os\"\nfunc f() { os.MkdirAll(a, b) }\n",
               "filesystem_mutation"},
           // Rust: std::process, unsafe blocks, std::fs writes, libloading
           Row{Language::rust, "m.rs", "use std::process::Command;\n", "process_boundary"},
           Row{Language::rust, "m.rs", "fn f() { std::fs::write(a, b); }\n", "filesystem_mutation"},
           Row{Language::rust, "m.rs", "use std::fs;\nfn f() { fs::remove_file(a); }\n",
               "filesystem_mutation"},
           Row{Language::rust, "m.rs", "use libloading::Library;\n", "dynamic_loading"},
           // Java: Runtime.exec, ProcessBuilder, ObjectInputStream, reflection, Files writes
           Row{Language::java, "A.java", "class A { void f() { Runtime.getRuntime().exec(a); } }\n",
               "process_boundary"},
           Row{Language::java, "A.java", "class A { void f() { new ProcessBuilder(a); } }\n",
               "process_boundary"},
           Row{Language::java, "A.java",
               "import java.io.ObjectInputStream;\n"
               "class A { void f() { new ObjectInputStream(a); } }\n",
               "deserialization"},
           Row{Language::java, "A.java", "class A { void f() { Class.forName(a); } }\n",
               "dynamic_loading"},
           Row{Language::java, "A.java",
               "import java.nio.file.Files;\nclass A { void f() { Files.write(a, b); } }\n",
               "filesystem_mutation"},
           Row{Language::java, "A.java",
               "import java.nio.file.Files;\nclass A { void f() { Files.delete(a); } }\n",
               "filesystem_mutation"},
       })
    EXPECT_TRUE(categories(told(row.language, row.path, row.source)).contains(row.category))
        << row.source;
  // The words that have no category of their own in the table of Python are surfaces all the same.
  for (const char* copy : {"strcpy", "strcat", "sprintf", "gets"})
    EXPECT_FALSE(
        told(Language::c, "m.c", "void f(void) { " + std::string(copy) + "(a, b); }\n").empty())
        << copy;
  EXPECT_FALSE(told(Language::go, "m.go", "package m\nimport \"unsafe\"\n").empty());
  EXPECT_FALSE(told(Language::rust, "m.rs", "fn f() { unsafe { g(); } }\n").empty());
  EXPECT_FALSE(
      told(Language::java, "A.java", "import java.lang.reflect.Method;\nclass A {}\n").empty());
}

}  // namespace
}  // namespace gh::analysis
