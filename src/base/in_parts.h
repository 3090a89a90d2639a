#pragma once
// One job over many things, on all cores: each thing by itself, so that the outcome is the same
// however many there are.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gh {

/// Calls work(from, to) for parts that make up [0, count), on at most four threads at once. Less
/// than `least` things for each are not worth a thread. Returns when all is done.
void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work);

/// A long text without holding it: `make` appends what [from, to) looks like, for `size` things at
/// a time and on several threads at once; `take` gets one such text after the other, in their
/// order.
void in_order(std::size_t count, std::size_t size,
              const std::function<void(std::size_t from, std::size_t to, std::string& out)>& make,
              const std::function<void(std::string_view)>& take);

}  // namespace gh
