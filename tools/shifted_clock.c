/* Another wall clock for programs that are started with this library preloaded: it runs faster or slower than the
 * machine's and can be moved while they run. The file that $SHIFTED_CLOCK names holds four numbers of 64 bits: a count
 * that is odd while the others are being written, a time of the monotonic clock, the time it shows then, both in
 * nanoseconds, and thousandths of a nanosecond per nanosecond. torture.py writes it; the product knows nothing of it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct Clock {
  _Atomic uint64_t count;
  _Atomic int64_t from, shown, rate;
};

static const int64_t kSecond = 1000000000;

static const struct Clock* the_clock(void) {
  static const struct Clock* _Atomic known;
  const struct Clock* clock = atomic_load(&known);
  if (clock != NULL) return clock;
  const char* path = getenv("SHIFTED_CLOCK");
  const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) abort(); /* the real time would prove nothing */
  void* mapped = mmap(NULL, sizeof(struct Clock), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) abort();
  atomic_store(&known, mapped);
  return mapped;
}

static int64_t shifted(void) {
  const struct Clock* clock = the_clock();
  for (;;) {
    const uint64_t before = atomic_load(&clock->count);
    const int64_t from = clock->from, shown = clock->shown, rate = clock->rate;
    if (before % 2 != 0 || atomic_load(&clock->count) != before) continue;
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return shown + (now.tv_sec * kSecond + now.tv_nsec - from) / 1000 * rate;
  }
}

int clock_gettime(clockid_t which, struct timespec* out) {
  if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE) return (int)syscall(SYS_clock_gettime, which, out);
  const int64_t now = shifted();
  out->tv_sec = now / kSecond;
  out->tv_nsec = now % kSecond;
  return 0;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  const int64_t now = shifted();
  out->tv_sec = now / kSecond;
  out->tv_usec = now % kSecond / 1000;
  return 0;
}

time_t time(time_t* out) {
  const time_t now = shifted() / kSecond;
  if (out != NULL) *out = now;
  return now;
}
