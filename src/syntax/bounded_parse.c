#include "syntax/bounded_parse.h"

TSTree* gh_bounded_parse(TSParser* parser, const char* text, uint32_t size, jmp_buf* back) {
  if (setjmp(*back) != 0) return NULL;
  return ts_parser_parse_string(parser, NULL, text, size);
}

void gh_leave_parse(jmp_buf* back) { longjmp(*back, 1); }
