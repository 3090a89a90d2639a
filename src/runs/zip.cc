#include "runs/zip.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

namespace gh::runs {
namespace {

constexpr unsigned long kDosDate = 0x00210000;         // 1980-01-01 00:00:00
constexpr unsigned long kMadeByUnix = (3U << 8) | 20;  // so that the mode below is read
constexpr unsigned long kUtf8Name = 1U << 11;
constexpr unsigned long kFileMode = 0100644UL << 16;
constexpr unsigned long kFolderMode = (040755UL << 16) | 0x10;
constexpr int kDeflateLevel = 6;
constexpr std::size_t kMaxNameBytes = 4096;

/// A file in memory, for the archive library's file functions.
struct MemoryFile {
  std::string bytes;
  std::size_t at = 0;
};

MemoryFile& file_of(void* stream) { return *static_cast<MemoryFile*>(stream); }

void* open_memory(void* opaque, const void*, int) { return opaque; }

uLong read_memory(void*, void* stream, void* out, uLong size) {
  MemoryFile& file = file_of(stream);
  const std::string_view part =
      std::string_view(file.bytes).substr(std::min(file.at, file.bytes.size()), size);
  std::ranges::copy(part, static_cast<char*>(out));
  file.at += part.size();
  return part.size();
}

uLong write_memory(void*, void* stream, const void* bytes, uLong size) {
  MemoryFile& file = file_of(stream);
  file.bytes.resize(std::max(file.bytes.size(), file.at + size));
  file.bytes.replace(file.at, size, static_cast<const char*>(bytes), size);
  file.at += size;
  return size;
}

ZPOS64_T tell_memory(void*, void* stream) { return file_of(stream).at; }

long seek_memory(void*, void* stream, ZPOS64_T offset, int origin) {
  MemoryFile& file = file_of(stream);
  const std::size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                           : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at
                                                              : file.bytes.size();
  if (from + offset > file.bytes.size()) return -1;
  file.at = from + offset;
  return 0;
}

int succeed(void*, void*) { return 0; }

zlib_filefunc64_def memory_functions(MemoryFile& file) {
  return {open_memory, read_memory, write_memory, tell_memory,
          seek_memory, succeed,     succeed,      &file};
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_folder(const ZipEntry& entry) { return entry.name.ends_with('/'); }

bool add(zipFile archive, const ZipEntry& entry) {
  zip_fileinfo info{};
  info.dosDate = kDosDate;
  info.external_fa = is_folder(entry) ? kFolderMode : kFileMode;
  const int method = entry.bytes.empty() ? 0 : Z_DEFLATED;
  if (zipOpenNewFileInZip4_64(archive, entry.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                              method, kDeflateLevel, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY, nullptr, 0, kMadeByUnix,
                              is_ascii(entry.name) ? 0 : kUtf8Name, 0) != ZIP_OK)
    return false;
  const bool written = zipWriteInFileInZip(archive, entry.bytes.data(),
                                           static_cast<unsigned>(entry.bytes.size())) == ZIP_OK;
  return zipCloseFileInZip(archive) == ZIP_OK && written;
}

tl::unexpected<Error> broken(std::string_view what) {
  return fail(Code::input_unreadable, fmt::format("archive: {}", what));
}

struct CloseReader {
  void operator()(void* archive) const { unzClose(archive); }
};

/// The entry that the reader stands on.
Result<ZipEntry> current_entry(unzFile archive, std::size_t max_bytes) {
  unz_file_info64 info{};
  std::string name(kMaxNameBytes, '\0');
  if (unzGetCurrentFileInfo64(archive, &info, name.data(), kMaxNameBytes, nullptr, 0, nullptr, 0) !=
          UNZ_OK ||
      info.size_filename >= kMaxNameBytes)
    return broken("an entry's header cannot be read");
  name.resize(info.size_filename);
  if (info.uncompressed_size > max_bytes) return broken("it unpacks to too many bytes");
  ZipEntry entry{std::move(name), std::string(info.uncompressed_size, '\0')};
  if (unzOpenCurrentFile(archive) != UNZ_OK) return broken(entry.name + " cannot be opened");
  const int got =
      unzReadCurrentFile(archive, entry.bytes.data(), static_cast<unsigned>(entry.bytes.size()));
  const bool sum_holds = unzCloseCurrentFile(archive) == UNZ_OK;
  if (got < 0 || static_cast<std::size_t>(got) != entry.bytes.size() || !sum_holds)
    return broken(entry.name + " is damaged");
  return entry;
}

}  // namespace

Result<std::string> write_zip(const std::vector<ZipEntry>& entries) {
  MemoryFile file;
  zlib_filefunc64_def functions = memory_functions(file);
  zipFile archive = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  if (archive == nullptr) return fail(Code::io_error, "cannot start a ZIP archive");
  const bool added =
      std::ranges::all_of(entries, [&](const ZipEntry& e) { return add(archive, e); });
  if (zipClose(archive, nullptr) != ZIP_OK || !added)
    return fail(Code::io_error, "cannot write a ZIP archive");
  return std::move(file.bytes);
}

Result<std::vector<ZipEntry>> read_zip(std::string_view bytes, std::size_t max_bytes) {
  MemoryFile file{std::string(bytes)};
  zlib_filefunc64_def functions = memory_functions(file);
  const std::unique_ptr<void, CloseReader> archive(unzOpen2_64("", &functions));
  if (!archive) return broken("it is no ZIP archive");
  std::vector<ZipEntry> entries;
  std::size_t left = max_bytes;
  int state = unzGoToFirstFile(archive.get());
  for (; state == UNZ_OK; state = unzGoToNextFile(archive.get())) {
    if (entries.size() == kMaxZipEntries) return broken("it has too many entries");
    GH_TRY(entry, current_entry(archive.get(), left));
    left -= entry.bytes.size();
    entries.push_back(std::move(entry));
  }
  if (state != UNZ_END_OF_LIST_OF_FILE) return broken("its list of entries is damaged");
  return entries;
}

}  // namespace gh::runs
