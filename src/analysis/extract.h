#pragma once

#include <string_view>

#include "analysis/facts.h"
#include "syntax/front_end.h"

namespace gh::analysis {

/// Reads one file. One extractor per thread.
class Extractor {
 public:
  FileFacts facts_of(syntax::Language, std::string_view source);

 private:
  syntax::FrontEnd front_end_{};
  syntax::Tree tree_{};
};

}  // namespace gh::analysis
