import a, { b as c } from "./m.js";
export default class A extends B { #x = 1; static s() {} get y() { return this.#x ?? c?.d; } async *g() { for await (const z of w) yield `t${z}`; } }
export const f = (q) => { label: for (;;) { switch (q) { case 1: continue label; default: try { q(); } catch { break label; } finally { r(); } } } };
const e = <div a={1}>{x}</div>;
