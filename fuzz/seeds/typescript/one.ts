import type { T } from "./t";
interface I<U extends T> { m?(a: U): void }
enum E { A = 1 }
abstract class K<T> implements I<T> { constructor(private readonly x: number) {} @dec() async f<A>(this: K<A>, y!: A | undefined): Promise<void> { using r = open(); return y satisfies A as any; } }
declare module "m" { export function q(): asserts v is string; }
