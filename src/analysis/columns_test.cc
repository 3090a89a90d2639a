// The members of items of long lists (analysis reference), as documents and as text.
#include "analysis/columns.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/adoption.h"
#include "analysis/metric_families.h"
#include "analysis/overloaded_modules.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

template <class T>
std::string keys(std::span<const Column<T>> columns) {
  EXPECT_TRUE(std::ranges::is_sorted(columns, {}, &Column<T>::key)) << "canonical order";
  std::string out;
  for (const Column<T>& column : columns)
    out += std::string(column.key) + " ";
  return out;
}

template <class T>
std::string written(std::span<const Column<T>> columns, const T& of) {
  std::string out;
  append_item(columns, of, out);
  EXPECT_EQ(out, wire::canonical_json(item_of(columns, of)));
  return out;
}

TEST(ItemColumns, TheMembersOfEachList) {
  EXPECT_EQ(keys(complexity_columns()),
            "cognitive_complexity cyclomatic_complexity end_line nesting_depth qualname "
            "relative_path risk start_line ");
  EXPECT_EQ(keys(dependency_columns()),
            "deferred import_type line paths source statements target typing_only ");
  EXPECT_EQ(keys(adoption_columns()),
            "any_annotation_count callable_count docstring_permille module param_permille "
            "params_annotated params_total public_symbol_documented public_symbol_total "
            "relative_path return_permille returns_annotated returns_total ");
  EXPECT_EQ(keys(overloaded_columns()),
            "callable_count candidate_reasons candidate_status classes complexity_max "
            "complexity_total dependency_score fan_in fan_out functions hub_balance hub_score "
            "import_edges instability loc methods module reimport_edges reimport_ratio "
            "relative_path score shape_score size_score source_kind total_deps ");
}

TEST(ItemColumns, AUnit) {
  const UnitFact unit{.local_name = "f",
                      .complexity = {.cyclomatic = 12, .nesting = 3, .cognitive = 7}};
  EXPECT_EQ(written(complexity_columns(), {{"m:\"f\"", "a\\b.py", 4, 9}, &unit}),
            R"({"cognitive_complexity":7,"cyclomatic_complexity":12,"end_line":9,)"
            R"("nesting_depth":3,"qualname":"m:\"f\"","relative_path":"a\\b.py",)"
            R"("risk":"medium","start_line":4})");
}

TEST(ItemColumns, AnEdgeNamesItsPathsWhenThereAreAny) {
  Dependencies all{.modules = {"a", "b"}};
  DependencyEdge edge{.from = 0, .to = 1, .line = 3, .statements = 2, .is_from = true};
  EXPECT_EQ(written(dependency_columns(), {all, edge}),
            R"({"deferred":false,"import_type":"from_import","line":3,"source":"a",)"
            R"("statements":2,"target":"b","typing_only":false})");
  edge.paths = {"x.go", "y.go"};
  edge.is_from = false;
  edge.typing_only = edge.deferred = true;
  EXPECT_EQ(written(dependency_columns(), {all, edge}),
            R"({"deferred":true,"import_type":"import","line":3,"paths":["x.go","y.go"],)"
            R"("source":"a","statements":2,"target":"b","typing_only":true})");
}

TEST(ItemColumns, AModule) {
  EXPECT_EQ(written(adoption_columns(), {"m",
                                         "m.py",
                                         {.callables = 4,
                                          .params = 8,
                                          .params_annotated = 2,
                                          .returns_annotated = 1,
                                          .any_annotations = 5,
                                          .public_symbols = 3,
                                          .public_documented = 2}}),
            R"({"any_annotation_count":5,"callable_count":4,"docstring_permille":667,)"
            R"("module":"m","param_permille":250,"params_annotated":2,"params_total":8,)"
            R"("public_symbol_documented":2,"public_symbol_total":3,"relative_path":"m.py",)"
            R"("return_permille":250,"returns_annotated":1,"returns_total":4})");
}

}  // namespace
}  // namespace gh::analysis
