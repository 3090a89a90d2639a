#pragma once

#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

/// Every threshold that decides what is grouped.
Map profile_document(const Profile&);
/// From which value on a metric is a finding, and how it is compared.
Map thresholds_document(const Profile&);
/// The languages that this program reads, each with the version of its front end.
Map languages_document();

}  // namespace gh::analysis
