/* spawn N PROGRAM ARG... [--- PROGRAM ARG...]: starts the program N times, one after the other, with its
 * output thrown away, and prints the median microseconds of one run and the peak memory of the largest in
 * KiB. With a second program the two take turns, run by run, each after a short rest: whatever slows the
 * machine for a while, and whatever a run leaves behind for the system to clear up, meets both alike. The
 * same program measures the product and its references. SPAWN_INPUT names a file that each run reads as
 * its standard input, from the beginning. SPAWN_CPU: the time is that of the processor, with that of the
 * processes it waited for, and not that of the clock: it depends less on who else is at work. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static double micros(struct timeval t) { return (double)t.tv_sec * 1e6 + (double)t.tv_usec; }

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

enum { kRest = 3000 }; /* microseconds; a killed child is gone in one */

struct program {
  char** argv;
  double* took;
  long peak;
};

static int run(struct program* program, long i) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const char* input = getenv("SPAWN_INPUT");
  if (input != NULL) posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
  const double start = now();
  pid_t child;
  int status;
  struct rusage usage;
  if (posix_spawnp(&child, program->argv[0], &actions, NULL, program->argv, environ) != 0) return 3;
  wait4(child, &status, 0, &usage);
  program->took[i] = getenv("SPAWN_CPU") == NULL ? now() - start
                                                  : micros(usage.ru_utime) + micros(usage.ru_stime);
  if (usage.ru_maxrss > program->peak) program->peak = usage.ru_maxrss;
  posix_spawn_file_actions_destroy(&actions);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const long count = strtol(argv[1], NULL, 10);
  if (count < 1) return 2;
  struct program programs[2] = {{argv + 2, NULL, 0}, {NULL, NULL, 0}};
  for (int i = 3; i < argc && programs[1].argv == NULL; ++i)
    if (strcmp(argv[i], "---") == 0) {
      argv[i] = NULL;
      programs[1].argv = argv + i + 1;
    }
  const int turns = programs[1].argv == NULL ? 1 : 2;
  for (int p = 0; p < turns; ++p)
    if ((programs[p].took = malloc((size_t)count * sizeof(double))) == NULL) return 2;
  for (long i = 0; i < count; ++i)
    for (int p = 0; p < turns; ++p) {
      if (turns == 2) usleep(kRest);
      const int failed = run(&programs[p], i);
      if (failed) return failed;
    }
  for (int p = 0; p < turns; ++p) {
    qsort(programs[p].took, (size_t)count, sizeof(double), compare);
    printf("%.1f %ld ", programs[p].took[count / 2], programs[p].peak);
  }
  printf("\n");
  return 0;
}
