#include "analysis/registrations.h"

#include <set>

#include <gtest/gtest.h>

#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

/// `qualname framework confidence` of each registration.
std::vector<std::string> registered(const Project& project) {
  const SymbolIndex index(project);
  std::vector<std::string> out;
  for (const Registration& r : registrations_of(project, index, Ancestry(project, index)))
    out.push_back(std::string(index.all()[r.target].qualname) + " " + r.framework +
                  (r.is_high ? " high" : " medium"));
  return out;
}
std::vector<std::string> registered(std::string source) {
  return registered(python_project({{"m.py", std::move(source)}}));
}
using Lines = std::vector<std::string>;

constexpr const char* kWeb[]{"api_route", "delete",    "exception_handler",
                             "get",       "head",      "middleware",
                             "on_event",  "options",   "patch",
                             "post",      "put",       "route",
                             "trace",     "websocket", "websocket_route"};
constexpr const char* kFlask[]{"delete", "get", "head", "options", "patch", "post", "put", "route"};
constexpr const char* kAiohttp[]{"delete", "get", "head",  "options", "patch",
                                 "post",   "put", "route", "view"};
constexpr const char* kAiogram[]{"message", "callback_query", "inline_query",
                                 "poll",    "edited_message", "chat_member"};
constexpr const char* kCommands[]{"command", "callback", "group", "task"};

// docs/reference/analysis.md, "Registrations", objects
TEST(Registrations, ObjectsAndTheirMethods) {
  struct Row {
    std::string import, maker, framework;
    std::span<const char* const> methods;
    bool needs_inclusion;
    std::string including;
  };
  const Row rows[] = {
      {"from fastapi import FastAPI", "FastAPI", "fastapi_app", kWeb, false, ""},
      {"import fastapi", "fastapi.APIRouter", "fastapi_router", kWeb, true, "include_router"},
      {"from starlette.applications import Starlette as S", "S", "starlette_app", kWeb, false, ""},
      {"from starlette import routing", "routing.Router", "starlette_router", kWeb, true,
       "include_router"},
      {"from flask import Flask", "Flask", "flask_app", kFlask, false, ""},
      {"from flask import Blueprint", "Blueprint", "flask_blueprint", kFlask, true,
       "register_blueprint"},
      {"from aiohttp import web", "web.RouteTableDef", "aiohttp_routes", kAiohttp, true,
       "add_routes"},
      {"from aiogram import Dispatcher", "Dispatcher", "aiogram_dispatcher", kAiogram, false, ""},
      {"from aiogram import Router", "Router", "aiogram_router", kAiogram, true, "include_router"},
      {"import typer", "typer.Typer", "typer_app", kCommands, false, ""},
      {"import click", "click.Group", "click_group", kCommands, false, ""},
      {"from celery import Celery", "Celery", "celery_app", kCommands, false, ""},
  };
  for (const Row& row : rows)
    for (const char* method : row.methods) {
      const std::string source = row.import + "\nthing = " + row.maker + "()\n@thing." + method +
                                 "('/x')\ndef f(): pass\n";
      const std::string line = "m:f " + row.framework;
      EXPECT_EQ(registered(source), Lines{line + (row.needs_inclusion ? " medium" : " high")})
          << source;
      if (row.needs_inclusion) {
        EXPECT_EQ(registered(source + "app." + row.including + "(thing)\n"), Lines{line + " high"});
      }
      EXPECT_EQ(dead_in({{"m.py", source}}), Dead{});
    }
}

TEST(Registrations, OtherMethodsAndOtherObjectsSayNothing) {
  EXPECT_EQ(registered("from flask import Flask\napp = Flask()\n@app.trace\ndef f(): pass\n"),
            Lines{});
  EXPECT_EQ(registered("from mine import Flask\napp = Flask()\n@app.get\ndef f(): pass\n"),
            Lines{});
  EXPECT_EQ(dead_in({{"m.py", "from mine import Flask\napp = Flask()\n@app.get\ndef f(): pass\n"}}),
            (Dead{{"m:f", "unknown_decorator"}}));
}

TEST(Registrations, AGroupMayBeAFunctionAndHaveGroups) {
  EXPECT_EQ(registered("import click\n@click.group()\ndef cli(): pass\n"
                       "@cli.group()\ndef sub(): pass\n@sub.command()\ndef run(): pass\n"),
            (Lines{"m:sub click_group high", "m:run click_group high"}));
}

TEST(Registrations, AnObjectMayComeFromAnotherModule) {
  EXPECT_EQ(
      registered(python_project({{"p/app.py",
                                  "from flask import Flask, Blueprint\nfrom .views import bp\n"
                                  "app = Flask()\napp.register_blueprint(bp)\n"},
                                 {"p/views.py",
                                  "from flask import Blueprint\nfrom . import app as a\n"
                                  "from .app import app\nbp = Blueprint()\n"
                                  "@bp.get('/')\ndef f(): pass\n@app.get('/')\ndef g(): pass\n"}})),
      (Lines{"p.views:f flask_blueprint high", "p.views:g flask_app high"}));
}

// docs/reference/analysis.md, "Registrations", calls
TEST(Registrations, Calls) {
  EXPECT_EQ(registered("from fastapi import Depends, Security\nfrom typing import Annotated\n"
                       "def a(): pass\ndef b(): pass\ndef c(): pass\n"
                       "def f(x=Depends(a), y: Annotated[int, Security(b)] = 1): pass\n"),
            (Lines{"m:a fastapi high", "m:b fastapi high"}));
  EXPECT_EQ(registered(python_project(
                {{"p/urls.py",
                  "from django.urls import path, re_path\nfrom . import views\n"
                  "u = [path('a', views.a), re_path('b', views.B.as_view()), "
                  "path('c', other)]\n"},
                 {"p/views.py", "def a(request): pass\nclass B: pass\ndef c(request): pass\n"}})),
            (Lines{"p.views:a django high", "p.views:B django high"}));
  EXPECT_EQ(registered("from dependency_injector import providers\ndef make(): pass\n"
                       "x = providers.Factory(make)\n"),
            Lines{"m:make dependency_injector high"});
  EXPECT_EQ(registered("from fastapi import params\ndef a(): pass\ndef b(): pass\n"
                       "def f(x=params.Depends(a), y=params.Security(b)): pass\n"),
            (Lines{"m:a fastapi high", "m:b fastapi high"}));
  EXPECT_EQ(registered("from django.urls.conf import path, re_path\ndef a(): pass\n"
                       "def b(): pass\nx = [path('a', a), re_path('b', b)]\n"),
            (Lines{"m:a django high", "m:b django high"}));
  EXPECT_EQ(registered("from mine import path\ndef a(): pass\nx = path('a', a)\n"), Lines{});
}

// docs/reference/analysis.md, "Registrations", hooks
TEST(Registrations, HooksOfSubclasses) {
  struct Row {
    std::string import, base;
    std::vector<std::string> methods;
  };
  const Row rows[] = {
      {"from starlette.middleware.base import BaseHTTPMiddleware",
       "BaseHTTPMiddleware",
       {"dispatch"}},
      {"from starlette.routing import Route",
       "Route",
       {"handle", "matches", "get_path", "get_response"}},
      {"from fastapi.routing import APIRoute",
       "APIRoute",
       {"handle", "matches", "get_path", "get_response"}},
      {"from starlette.applications import Starlette", "Starlette", {"build_middleware_stack"}},
      {"from fastapi import FastAPI", "FastAPI", {"build_middleware_stack"}},
      {"import sqlalchemy.types",
       "sqlalchemy.types.TypeDecorator",
       {"process_bind_param", "process_result_value", "process_literal_param", "load_dialect_impl",
        "coerce_compared_value", "compare_values", "bind_expression", "column_expression"}},
      {"from pydantic.json_schema import GenerateJsonSchema",
       "GenerateJsonSchema",
       {"int_schema", "any_schema"}},
  };
  for (const Row& row : rows)
    for (const std::string& method : row.methods) {
      const std::string body = "    def " + method + "(self): pass\n    def other(self): pass\n";
      EXPECT_EQ(dead_in({{"m.py", row.import + "\nclass A(" + row.base + "): pass\nclass K(A):\n" +
                                      body + "K()\n"}}),
                (Dead{{"m:K.other", "external_base"}}))
          << row.base << " " << method;
      EXPECT_EQ(dead_in({{"m.py", "import x\nclass K(x.Y):\n" + body + "K()\n"}}).size(), 2u);
    }
}

TEST(Registrations, WhatIsOnlyForTypesIsNoEvidence) {
  EXPECT_EQ(registered("from typing import TYPE_CHECKING\nfrom flask import Flask\n"
                       "if TYPE_CHECKING:\n    app = Flask()\n@app.get('/')\ndef f(): pass\n"),
            Lines{});
  EXPECT_EQ(registered("from typing import TYPE_CHECKING\nfrom flask import Flask\napp = Flask()\n"
                       "if TYPE_CHECKING:\n    @app.get('/')\n    def f(): pass\n"),
            Lines{});
}

TEST(Registrations, TheProfileMayNameMoreObjects) {
  Project project = python_project(
      {{"m.py", "from mine import Bot\nbot = Bot()\n@bot.on('x')\ndef f(): pass\n"}});
  EXPECT_EQ(registered(project), Lines{});
  project.profile.dead_code_registrations = {{"mine.Bot", {"on"}}};
  EXPECT_EQ(registered(project), Lines{"m:f mine.Bot high"});
}

// Each decorator made the function an object, and asked all objects of its file.
TEST(Registrations, DecoratorsWithoutNumberTakeTimeInProportion) {
  std::string source;
  for (int i = 0; i < 100'000; ++i)
    source += "@d.x\n";
  const std::string flask = "from flask import Flask\napp = Flask()\n@app.get('/')\n";
  EXPECT_EQ(registered(python_project({{"m.py", flask + source + "def f(): pass\n"}})),
            Lines{"m:f flask_app high"});
}

TEST(Registrations, TheDocumentNamesTargetAndEvidence) {
  const Project project = python_project(
      {{"m.py", "from flask import Flask\napp = Flask()\n@app.get('/')\ndef f(): pass\n"}});
  const SymbolIndex index(project);
  EXPECT_EQ(registration_document(project, index,
                                  registrations_of(project, index, Ancestry(project, index)).at(0)),
            (Map{{"target_qualname", "m:f"},
                 {"relative_path", "m.py"},
                 {"start_line", 4},
                 {"end_line", 4},
                 {"kind", "function"},
                 {"framework", "flask_app"},
                 {"edge_kind", "decorator"},
                 {"confidence", "high"},
                 {"evidence", "app.get"},
                 {"evidence_symbol", "flask.Flask"},
                 {"source_qualname", "m"}}));
}

}  // namespace
}  // namespace gh::analysis
