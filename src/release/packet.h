#pragma once
// The release evidence packet (release-gate 20): what a reviewer signs off, section by section.
// Made from the public report alone, so it can be made again later; it never decides.
#include <string_view>

#include "base/error.h"
#include "model/value.h"

namespace gh::release {

inline constexpr std::string_view kPacketSchema = "0.6";

/// Where the evidence about people in the loop comes from.
struct PacketOrigin {
  std::string_view mode = "fresh_scan";  // fresh_scan, rebuilt_from_findings, unavailable
  List provenance{};                     // of a fresh scan: {type, ref, location, status, detail}
};
Map packet_of(const Value& report, const PacketOrigin&);

/// A report.json of schema 0.8 or later becomes a packet with a residual note; a packet.json stays
/// what it is, and an older one gets the sections that it lacks. Redacted again. bad_argument for
/// anything else.
Result<Map> packet_from(const Value& document, std::string_view name);

}  // namespace gh::release
