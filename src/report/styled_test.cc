#include "report/styled.h"

#include <gtest/gtest.h>

namespace gh::report {
namespace {

TEST(Styled, IsDrawnWhenTheLookIsKnown) {
  const Styled text = Styled().add(Ink::bold, "Health").add("  70 ").bar(70).add(" 2 \u00d7 3\n");
  EXPECT_EQ(text.drawn({.ascii = true}), "Health  70 #######... 2 x 3\n");
  EXPECT_EQ(text.drawn({}),
            "Health  70 \u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2591\u2591\u2591 2 \u00d7 3\n");
  EXPECT_EQ(text.drawn({.colour = true, .ascii = true}),
            paint({.colour = true}, Ink::bold, "Health") + "  70 " +
                paint({.colour = true}, Ink::warning, "#######...") + " 2 x 3\n");
}

TEST(Styled, IsTheSameAfterItWasKept) {
  const Styled text = Styled().add(Ink::bad, "no").bar(3).bar(100).add("\n");
  const Look look{.colour = true};
  EXPECT_EQ(Styled::from_value(text.to_value()).drawn(look), text.drawn(look));
  EXPECT_EQ(Styled::from_value(Value("x")).drawn(look), "");
  EXPECT_EQ(Styled::from_value(Value(List{List{99, false, "x"}})).drawn(look), "");
  EXPECT_EQ(Styled::from_value(Value(List{List{0, true, "x"}})).drawn(look), "");
}

}  // namespace
}  // namespace gh::report
