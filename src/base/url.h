#pragma once
// Addresses that may hold a password.
#include <string>
#include <string_view>

namespace gh {

/// For messages: the password and everything behind "?" become "***". Rather hides too much than
/// too little when the address is malformed.
std::string without_password(std::string_view url);

}  // namespace gh
