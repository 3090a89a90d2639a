// From the nodes of a grammar to the IR, by the rows of the language. Work waits on a stack of its
// own: how deep the source is nested does not matter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/cst.h"

namespace gh::syntax {

/// Special rows say what they become through this: calls are carried out in the order of calling.
class Lowering {
 public:
  Lowering(const Cst& from, Tree& out) : cst(from), tree(out) {}
  void run();

  void open(Kind, std::uint32_t span, std::uint16_t flags = 0, std::uint32_t symbol = 0);
  /// From where `first` starts: what stands before it in `span` is about the node, not of it.
  void open_from(std::uint32_t first, Kind, std::uint32_t span, std::uint16_t flags = 0,
                 std::uint32_t symbol = 0);
  void leaf(Kind, std::uint32_t span, std::uint16_t flags = 0, std::uint32_t symbol = 0);
  void close();
  void lower(std::uint32_t node, bool as_target = false);
  void inside(std::uint32_t node, bool as_target = false);  // what it holds, not itself
  void block(std::uint32_t node, Arm);
  /// The grammar takes it, the language does not: it counts as unread where the node starts.
  void refuse(std::uint32_t node);

  std::uint32_t symbol(std::uint32_t node) { return tree.symbols.id_of(cst.text(node)); }
  bool is(std::uint32_t node, std::string_view type) const { return cst.type(node) == type; }
  Field field(std::uint32_t node) const { return cst.nodes[node].field; }
  /// The first child with that field; 0 when there is none.
  std::uint32_t child(std::uint32_t node, Field) const;
  bool has_token(std::uint32_t node, std::string_view text) const;  // among its direct children
  /// The text of an operator; of one that is written as a word in C++, the marks it stands for.
  std::string_view operator_text(std::uint32_t node) const;
  /// Direct children that carry meaning.
  template <class F>
  void each_named(std::uint32_t node, F&& f) const {
    for (std::uint32_t i = node + 1; i < cst.nodes[node].next; i = cst.nodes[i].next)
      if (cst.is_named(i)) f(i);
  }

  const Cst& cst;
  Tree& tree;
  bool is_interface = false;        // the file declares for others, who are not seen
  std::uint32_t elsewhere_end = 0;  // up to this byte it is only said what others have

 private:
  enum class Do : std::uint8_t { open, leaf, close, lower, inside };
  struct Task {
    Do what;
    bool as_target = false;
    Kind kind = Kind::Opaque;
    std::uint16_t flags = 0;
    std::uint32_t node = 0, symbol = 0;
    std::uint32_t first = 0;  // open: where it starts, 0 with its node
  };

  void carry_out(const Task&);
  void lower_now(std::uint32_t node, bool as_target);
  void lower_by_row(const Row&, std::uint32_t node, bool as_target);
  void lower_in_turn(std::uint32_t node, bool as_target);
  void append(Kind, std::uint32_t span, std::uint16_t flags, std::uint32_t symbol);
  void close_now();
  void collect();
  void add_refused();
  void add_set_aside();
  void schedule();

  std::vector<Task> waiting_{}, planned_{};  // waiting: last first
  std::vector<std::uint32_t> open_{};
  std::vector<std::uint32_t> refused_{};  // bytes
  std::uint32_t last_closed_ = 0;
  bool target_ = false;  // of the node whose special row is running

 public:
  bool as_target() const { return target_; }
  /// The nearest declaration around the node whose special row is running: Module, Class, Function
  /// or Lambda.
  Kind enclosing() const { return enclosing_node().kind; }
  /// Whatever is open around it.
  Kind around() const { return open_.empty() ? Kind::Module : tree.nodes[open_.back()].kind; }
  const Node& enclosing_node() const {
    for (auto i = open_.rbegin(); i != open_.rend(); ++i)
      if (const Kind k = tree.nodes[*i].kind;
          k == Kind::Class || k == Kind::Function || k == Kind::Lambda)
        return tree.nodes[*i];
    return tree.nodes[0];
  }
};

}  // namespace gh::syntax
