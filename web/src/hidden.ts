// Characters that nobody sees, and that make people read something else than what is there: controls, directions of writing,
// zero width, tags, fillers. A tab is none of them where text is code.
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

export interface Piece { text: string; hidden: boolean }

const named: Record<number, string> = {
  0x202a: 'left-to-right embedding', 0x202b: 'right-to-left embedding', 0x202c: 'pop direction', 0x202d: 'left-to-right override',
  0x202e: 'right-to-left override', 0x2066: 'left-to-right isolate', 0x2067: 'right-to-left isolate', 0x2068: 'first strong isolate',
  0x2069: 'pop isolate', 0x200b: 'zero width space', 0x200c: 'zero width non-joiner', 0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark', 0x200f: 'right-to-left mark', 0xfeff: 'byte order mark', 0xad: 'soft hyphen', 0xd: 'carriage return',
  0x1b: 'escape',
};

export const code_of = (char: string) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
export const name_of = (char: string) => named[char.codePointAt(0) ?? 0] ?? 'invisible character';

/** The text in pieces; each hidden character is one of its own. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(hidden)) {
    if (found.index > from) out.push({ text: text.slice(from, found.index), hidden: false });
    out.push({ text: found[0], hidden: true });
    from = found.index + found[0].length;
  }
  if (from < text.length || out.length === 0) out.push({ text: text.slice(from), hidden: false });
  return out;
}

export const count_hidden = (text: string) => text.match(hidden)?.length ?? 0;
