// Run once while the build is configured: does a program that start.cc started have all that the
// front needs? Exit status 0: yes.
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace {

thread_local int kept = 7;

bool throws_and_catches() {
  try {
    throw std::runtime_error(std::string(100, 'x'));
  } catch (const std::exception& thrown) {
    return std::strlen(thrown.what()) == 100;
  }
}

bool copies(std::size_t size) {
  std::string from(size, 'a');
  from[size / 2] = 'b';
  std::string to = from;
  std::memmove(to.data() + 1, to.data(), size - 1);
  return from.find('b') == size / 2 && to.find('b') == size / 2 + 1 &&
         std::memcmp(from.data(), to.data(), size / 2) == 0;
}

bool knows_errors() {
  struct stat seen {};
  return stat("/proc/self/no-such-file", &seen) != 0 && errno == ENOENT;
}

}  // namespace

extern "C" int gh_front(int argc, char** argv);

int gh_front(int argc, char** argv) {
  std::vector<std::string> many;
  for (int i = 0; i < 10'000; ++i)
    many.push_back(std::to_string(i) + std::string(40, 'y'));
  timespec now{};
  const bool good = argc == 1 && argv[0] != nullptr && kept == 7 && ++kept == 8 &&
                    throws_and_catches() && copies(100) && copies(10'000) && copies(4u << 20) &&
                    knows_errors() && std::isalpha('a') && many[9'999].starts_with("9999y") &&
                    clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > 0 && getpid() > 0;
  return good ? 0 : 1;
}

int main() { return 2; }  // the usual start: not what was to be tried
