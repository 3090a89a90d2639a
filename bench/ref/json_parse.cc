// json_parse FILE: reads a document with simdjson into its tree and counts the nodes.
#include <cstdio>

#include <simdjson.h>

namespace {

long count(simdjson::dom::element e) {
  long out = 1;
  if (e.is_array())
    for (const auto item : e.get_array())
      out += count(item);
  if (e.is_object())
    for (const auto field : e.get_object())
      out += count(field.value);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.load(argv[1]).get(root)) return 1;
  std::printf("%ld\n", count(root));
  return 0;
}
