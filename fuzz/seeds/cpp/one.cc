namespace n { template <class T> class A : public B<T> { int x_ = 0; public: virtual ~A() = default; auto f() const -> int { return [this](auto y) { return x_ + y; }(1); } }; }
int A::g() try { for (auto& [k, v] : m) if (k) throw v; return 0; } catch (const E& e) { return 1; } catch (...) { return 2; }
