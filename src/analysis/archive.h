// Facts as bytes and back. Every field of a plain struct takes part without being named, so that
// none can be forgotten; kFactVersion changes with the structs.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gh::analysis {

static_assert(std::endian::native == std::endian::little, "the layout of facts on disk");

template <class T>
class Late;

namespace archive_detail {

struct Anything {
  template <class T>
  operator T() const;  // never called: only asked whether it could be
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

inline constexpr std::size_t kMaxFields = 31;  // one more than can be taken apart

/// How many fields an aggregate has.
template <class T, std::size_t N = kMaxFields>
constexpr std::size_t field_count() {
  if constexpr (takes<T>(std::make_index_sequence<N>()))
    return N;
  else
    return field_count<T, N - 1>();
}

template <class T>
auto fields(T& x) {
  const std::size_t n = field_count<std::remove_const_t<T>>();
  static_assert(n > 0 && n < kMaxFields,
                "no plain struct, or one with more fields than this header takes apart");
  // clang-format off
  if constexpr (n == 1) { auto& [f1] = x; return std::tie(f1); }
  else if constexpr (n == 2) { auto& [f1, f2] = x; return std::tie(f1, f2); }
  else if constexpr (n == 3) { auto& [f1, f2, f3] = x; return std::tie(f1, f2, f3); }
  else if constexpr (n == 4) { auto& [f1, f2, f3, f4] = x; return std::tie(f1, f2, f3, f4); }
  else if constexpr (n == 5) { auto& [f1, f2, f3, f4, f5] = x; return std::tie(f1, f2, f3, f4, f5); }
  else if constexpr (n == 6) { auto& [f1, f2, f3, f4, f5, f6] = x; return std::tie(f1, f2, f3, f4, f5, f6); }
  else if constexpr (n == 7) { auto& [f1, f2, f3, f4, f5, f6, f7] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7); }
  else if constexpr (n == 8) { auto& [f1, f2, f3, f4, f5, f6, f7, f8] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8); }
  else if constexpr (n == 9) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9); }
  else if constexpr (n == 10) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10); }
  else if constexpr (n == 11) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11); }
  else if constexpr (n == 12) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12); }
  else if constexpr (n == 13) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13); }
  else if constexpr (n == 14) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14); }
  else if constexpr (n == 15) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15); }
  else if constexpr (n == 16) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16); }
  else if constexpr (n == 17) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17); }
  else if constexpr (n == 18) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18); }
  else if constexpr (n == 19) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19); }
  else if constexpr (n == 20) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20); }
  else if constexpr (n == 21) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21); }
  else if constexpr (n == 22) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22); }
  else if constexpr (n == 23) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23); }
  else if constexpr (n == 24) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24); }
  else if constexpr (n == 25) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25); }
  else if constexpr (n == 26) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26); }
  else if constexpr (n == 27) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27); }
  else if constexpr (n == 28) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28); }
  else if constexpr (n == 29) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29); }
  else if constexpr (n == 30) { auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30] = x; return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30); }
  // clang-format on
}

template <class T>
concept Scalar = std::integral<T> || std::is_enum_v<T>;

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsLate : std::false_type {};
template <class T>
struct IsLate<Late<T>> : std::true_type {};

/// Copied as it lies in memory: integers without padding between them.
template <class T>
concept Flat =
    !Scalar<T> && std::has_unique_object_representations_v<T> && std::is_trivially_copyable_v<T>;

}  // namespace archive_detail

class ArchiveWriter {
 public:
  template <class T>
  void put(const T& x) {
    using archive_detail::fields;
    using archive_detail::Flat;
    using archive_detail::IsLate;
    using archive_detail::IsList;
    using archive_detail::Scalar;
    if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
      put_size(x.size());
      out_ += x;
    } else if constexpr (IsLate<T>::value) {
      x.put_to(*this);
    } else if constexpr (IsList<T>::value) {
      using Item = typename T::value_type;
      put_size(x.size());
      if constexpr (Scalar<Item> && !std::same_as<Item, bool>) {
        append(x.data(), x.size() * sizeof(Item));
      } else if constexpr (Flat<Item>) {
        append(x.data(), x.size() * sizeof(Item));
      } else {
        for (const auto& item : x)
          put<Item>(item);
      }
    } else if constexpr (Scalar<T>) {
      append(&x, sizeof x);
    } else {
      std::apply([&](const auto&... field) { (put(field), ...); }, fields(x));
    }
  }
  void expect(std::size_t bytes) { out_.reserve(bytes); }
  std::string finish() { return std::move(out_); }

 private:
  void put_size(std::size_t size) {
    const auto n = static_cast<std::uint32_t>(size);
    append(&n, sizeof n);
  }
  void append(const void* data, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(data), size);
  }
  std::string out_{};
};

/// Reads what was written. After damage `ok` is false and what was read is of no use.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view from) : left_(from) {}
  bool ok() const { return ok_ && left_.empty(); }

  template <class T>
  void get(T& x) {
    using archive_detail::fields;
    using archive_detail::Flat;
    using archive_detail::IsLate;
    using archive_detail::IsList;
    using archive_detail::Scalar;
    if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
      const std::size_t size = get_size(1);
      x = left_.substr(0, size);
      left_.remove_prefix(size);
    } else if constexpr (IsLate<T>::value) {
      std::string_view bytes;
      get(bytes);
      x = T::lying_in(bytes);
    } else if constexpr (IsList<T>::value) {
      using Item = typename T::value_type;
      if constexpr ((Scalar<Item> && !std::same_as<Item, bool>) || Flat<Item>) {
        const std::size_t size = get_size(sizeof(Item));
        x.resize(size);
        take(x.data(), size * sizeof(Item));
      } else {
        const std::size_t size = get_size(1);  // each item takes a byte at least
        x.clear();
        x.reserve(size);
        for (std::size_t i = 0; i < size && ok_; ++i)
          get(x.emplace_back());
      }
    } else if constexpr (std::same_as<T, bool>) {
      std::uint8_t byte = 0;
      take(&byte, 1);
      ok_ = ok_ && byte <= 1;
      x = byte != 0;
    } else if constexpr (Scalar<T>) {
      take(&x, sizeof x);
    } else {
      std::apply([&](auto&... field) { (get(field), ...); }, fields(x));
    }
  }

 private:
  void take(void* to, std::size_t size) {
    if (!ok_ || left_.size() < size) {
      ok_ = false;
      left_ = {};
      return;
    }
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }
  std::size_t get_size(std::size_t item) {
    std::uint32_t n = 0;
    take(&n, sizeof n);
    if (left_.size() / item >= n) return n;
    ok_ = false;
    left_ = {};
    return 0;
  }
  std::string_view left_;
  bool ok_ = true;
};

/// A part that is taken apart when somebody asks for it. One that was read lies in the bytes that
/// it was read from, which must stay.
template <class T>
class Late {
 public:
  Late() : value_(T{}) {}
  explicit Late(T value) : value_(std::move(value)) {}
  static Late lying_in(std::string_view bytes) {
    Late out;
    out.bytes_ = bytes;
    out.value_.reset();
    return out;
  }

  /// nullptr: the bytes are no such part.
  const T* get() const {
    if (value_) return &*value_;
    T read{};
    ArchiveReader reader(bytes_);
    reader.get(read);
    if (!reader.ok()) return nullptr;
    value_ = std::move(read);
    return &*value_;
  }
  void put_to(ArchiveWriter& writer) const {
    if (!value_ || !bytes_.empty()) return writer.put(bytes_);
    ArchiveWriter own;
    own.put(*value_);
    writer.put(own.finish());
  }

 private:
  std::string_view bytes_{};
  mutable std::optional<T> value_{};
};

}  // namespace gh::analysis
