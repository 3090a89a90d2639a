// ref_tree_sitter_parse THREADS <FILES: reads and parses the files that standard input names, one path
// per line, with bare tree-sitter, and drops each tree. Prints microseconds, bytes and MB/s.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_c(void);
const TSLanguage *tree_sitter_cpp(void);
const TSLanguage *tree_sitter_javascript(void);
const TSLanguage *tree_sitter_typescript(void);
const TSLanguage *tree_sitter_tsx(void);
const TSLanguage *tree_sitter_go(void);
const TSLanguage *tree_sitter_rust(void);
const TSLanguage *tree_sitter_java(void);

static const struct {
  const char *suffix;
  const TSLanguage *(*language)(void);
} kLanguages[] = {
    {".py", tree_sitter_python},      {".pyi", tree_sitter_python},
    {".c", tree_sitter_c},            {".h", tree_sitter_c},
    {".cc", tree_sitter_cpp},         {".cpp", tree_sitter_cpp},
    {".hpp", tree_sitter_cpp},        {".js", tree_sitter_javascript},
    {".ts", tree_sitter_typescript},  {".tsx", tree_sitter_tsx},
    {".go", tree_sitter_go},          {".rs", tree_sitter_rust},
    {".java", tree_sitter_java},
};

struct file {
  char *path;
  long size;
};
static struct file *files;
static size_t count;
static atomic_size_t next;
static atomic_llong parsed;

static const TSLanguage *language_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot != NULL && i < sizeof kLanguages / sizeof *kLanguages; ++i)
    if (strcmp(dot, kLanguages[i].suffix) == 0) return kLanguages[i].language();
  return NULL;
}

static void *work(void *unused) {
  TSParser *parser = ts_parser_new();
  size_t i;
  while ((i = atomic_fetch_add(&next, 1)) < count) {
    const TSLanguage *language = language_of(files[i].path);
    FILE *in = language != NULL ? fopen(files[i].path, "rb") : NULL;
    if (in == NULL) continue;
    char *text = malloc((size_t)files[i].size + 1);
    const size_t got = fread(text, 1, (size_t)files[i].size, in);
    fclose(in);
    ts_parser_set_language(parser, language);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)got);
    if (tree != NULL) ts_tree_delete(tree);
    free(text);
    atomic_fetch_add(&parsed, (long long)got);
  }
  ts_parser_delete(parser);
  return unused;
}

static int larger_first(const void *a, const void *b) {
  const long x = ((const struct file *)a)->size, y = ((const struct file *)b)->size;
  return x < y ? 1 : x > y ? -1 : 0;
}

int main(int argc, char **argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 1;
  char line[8192];
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  while (fgets(line, sizeof line, stdin) != NULL) {
    struct stat info;
    line[strcspn(line, "\n")] = '\0';
    if (stat(line, &info) != 0) continue;
    files = realloc(files, (count + 1) * sizeof *files);
    files[count].path = strdup(line);
    files[count++].size = (long)info.st_size;
  }
  qsort(files, count, sizeof *files, larger_first);
  pthread_t pool[64];
  for (int t = 1; t < threads && t < 64; ++t) pthread_create(&pool[t], NULL, work, NULL);
  work(NULL);
  for (int t = 1; t < threads && t < 64; ++t) pthread_join(pool[t], NULL);
  clock_gettime(CLOCK_MONOTONIC, &to);
  const double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3;
  printf("%.0f %lld %.1f MB/s\n", us, (long long)parsed, (double)parsed / us);
  return 0;
}
