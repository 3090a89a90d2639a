// Feeds every file of a folder to the fuzz target of that subject: replay SUBJECT FOLDER.
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

// Each target is compiled under a name of its own; the build lists them.
#define SUBJECT(name) extern "C" int replay_##name(const std::uint8_t* data, std::size_t size);
#include "replay_subjects.def"
#undef SUBJECT

namespace {

struct Subject {
  std::string_view name;
  int (*one_input)(const std::uint8_t* data, std::size_t size);
};

constexpr auto kSubjects = std::to_array<Subject>({
#define SUBJECT(name) {#name, replay_##name},
#include "replay_subjects.def"
#undef SUBJECT
});

int replay(const Subject& subject, const char* folder) {
  int replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    subject.one_input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++replayed;
  }
  std::printf("%d seeds replayed\n", replayed);
  return replayed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3)
    for (const Subject& subject : kSubjects)
      if (subject.name == argv[1]) return replay(subject, argv[2]);
  std::fputs("usage: fuzz_replay SUBJECT FOLDER\n", stderr);
  return 2;
}
