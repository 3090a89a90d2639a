/* spawn N PROGRAM ARG...: starts the program N times, one after the other, with its output thrown away,
 * and prints the median microseconds of one run and the peak memory of the largest in KiB. The same
 * program measures the product and its references. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const long count = strtol(argv[1], NULL, 10);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  long peak = 0;
  double* took = malloc((size_t)count * sizeof *took);
  if (took == NULL || count < 1) return 2;
  for (long i = 0; i < count; ++i) {
    const double start = now();
    pid_t child;
    int status;
    struct rusage usage;
    if (posix_spawnp(&child, argv[2], &actions, NULL, argv + 2, environ) != 0) return 3;
    wait4(child, &status, 0, &usage);
    took[i] = now() - start;
    if (usage.ru_maxrss > peak) peak = usage.ru_maxrss;
  }
  qsort(took, (size_t)count, sizeof *took, compare);
  printf("%.1f %ld\n", took[count / 2], peak);
  return 0;
}
