/* yaml_events FILE: reads a document with libyaml, event by event, and keeps nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  FILE* file = fopen(argv[1], "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 3;
  const long size = ftell(file);
  unsigned char* text = malloc((size_t)size + 1);
  rewind(file);
  if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) return 3;
  fclose(file);
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) return 3;
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, text, (size_t)size);
  long events = 0;
  for (int done = 0; !done; ++events) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) return 1;
    done = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  free(text);
  printf("%ld\n", events);
  return 0;
}
