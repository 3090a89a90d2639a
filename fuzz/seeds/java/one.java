package p;
import static a.B.*;
public sealed class A<T extends C> extends D implements E permits F {
  private int x;
  public A() { super(); }
  @Override public int f(int... a) throws G {
    try (var r = open()) { for (int i : a) { switch (i) { case 1 -> x++; default -> { yield 2; } } } } catch (H | I e) { throw new J(e); } finally { synchronized (this) { x = a[0]; } }
    return x > 0 ? new K() { int g() { return 1; } }.g() : ((Runnable) () -> {}).hashCode();
  }
  record R(int y) {}
  enum N { A, B { void z() {} } }
}
