// A diff as a table that people and screen readers can follow. Rows far from the window are not made.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { count_hidden } from './hidden';
import { State, Text } from './parts';

export interface Row { kind: ' ' | '+' | '-'; old?: number; new?: number; text: string }
export interface Hunk { old_start: number; new_start: number; rows: Row[] }
export interface File { path: string; old_path: string; operation: string; added: number; deleted: number; hunks: Hunk[] }
export interface Note { path: string; line: number; who: string; state: string; says: string; draft?: number }

const kChunk = 60, kRowHeight = 21, kLong = 1500;
const words = { '+': 'added', '-': 'removed', ' ': 'unchanged' } as const;

interface Pair { left?: Row; right?: Row }

/** Removed lines beside the added ones that follow them. */
export function pairs(rows: Row[]): Pair[] {
  const out: Pair[] = [];
  for (let i = 0; i < rows.length;) {
    const row = rows[i] as Row;
    if (row.kind === ' ') {
      out.push({ left: row, right: row });
      i += 1;
      continue;
    }
    const removed: Row[] = [], added: Row[] = [];
    while (rows[i]?.kind === '-') removed.push(rows[i++] as Row);
    while (rows[i]?.kind === '+') added.push(rows[i++] as Row);
    for (let k = 0; k < Math.max(removed.length, added.length); k += 1) out.push({ left: removed[k], right: added[k] });
  }
  return out;
}

/** Its children once it comes near the window; until then room of about their height. */
function Near({ height, children }: { height: number; children: () => ComponentChildren }) {
  const at = useRef<HTMLDivElement>(null);
  const [near, set] = useState(false);
  useEffect(() => {
    if (near || !at.current) return undefined;
    const watch = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) set(true); }, { rootMargin: '1200px' });
    watch.observe(at.current);
    const all = () => set(true);  // what is printed is all of it
    addEventListener('beforeprint', all);
    return () => { watch.disconnect(); removeEventListener('beforeprint', all); };
  }, [near]);
  return <div ref={at} style={near ? undefined : { height: `${height}px` }}>{near && children()}</div>;
}

interface Drawn { file: File; notes: Note[]; on_line?: (line: number) => void; drop: (note: Note) => void }

function NoteRow({ note, span, drop }: { note: Note; span: number; drop: (note: Note) => void }) {
  return (
    <tr class="note"><td colSpan={span}><div class="note" tabIndex={-1} data-note>
      <State of={note.state} says={note.who} /> <Text of={note.says} />
      {note.draft !== undefined && <button onClick={() => drop(note)}>Take back</button>}
    </div></td></tr>
  );
}

function Number({ row, on_line }: { row: Row | undefined; on_line?: (line: number) => void }) {
  if (row?.new !== undefined && on_line)
    return <td class="n"><button class="line" aria-label={`Comment on line ${row.new}`} onClick={() => on_line(row.new as number)}>{row.new}</button></td>;
  return <td class="n">{row?.new ?? ''}</td>;
}

function Unified({ rows, file, notes, on_line, drop }: Drawn & { rows: Row[] }) {
  return (
    <table class="diff unified">
      <colgroup><col class="n" /><col class="n" /><col class="sign" /><col /></colgroup>
      <thead class="aside"><tr><th scope="col">Old line</th><th scope="col">New line</th><th scope="col">Change</th><th scope="col">Text</th></tr></thead>
      <tbody>{rows.map((row) => (
        <>
          <tr class={words[row.kind]}>
            <td class="n">{row.old ?? ''}</td><Number row={row} on_line={on_line} />
            <td class="sign"><span aria-hidden="true">{row.kind}</span><span class="aside">{words[row.kind]}</span></td>
            <td class="code"><Text of={row.text} /></td>
          </tr>
          {row.new !== undefined && notes.filter((note) => note.path === file.path && note.line === row.new).map((note) => <NoteRow note={note} span={4} drop={drop} />)}
        </>
      ))}</tbody>
    </table>
  );
}

function Split({ rows, file, notes, on_line, drop }: Drawn & { rows: Row[] }) {
  return (
    <table class="diff split">
      <colgroup><col class="n" /><col /><col class="n" /><col /></colgroup>
      <thead class="aside"><tr><th scope="col">Old line</th><th scope="col">Old text</th><th scope="col">New line</th><th scope="col">New text</th></tr></thead>
      <tbody>{pairs(rows).map(({ left, right }) => (
        <>
          <tr>
            <td class="n">{left?.old ?? ''}</td>
            <td class={`code ${left ? (left.kind === '-' ? 'removed' : '') : 'none'}`}>{left?.kind === '-' && <span class="aside">removed: </span>}<Text of={left?.text} /></td>
            <Number row={right} on_line={on_line} />
            <td class={`code ${right ? (right.kind === '+' ? 'added' : '') : 'none'}`}>{right?.kind === '+' && <span class="aside">added: </span>}<Text of={right?.text} /></td>
          </tr>
          {right?.new !== undefined && notes.filter((note) => note.path === file.path && note.line === right.new).map((note) => <NoteRow note={note} span={4} drop={drop} />)}
        </>
      ))}</tbody>
    </table>
  );
}

const chunks = (rows: Row[]) => Array.from({ length: Math.ceil(rows.length / kChunk) }, (_, i) => rows.slice(i * kChunk, (i + 1) * kChunk));

export function FileDiff(props: Drawn & { split: boolean; viewed: boolean; tick: () => void; id: string }) {
  const { file, split, viewed, tick, id } = props;
  const [open, set] = useState(file.added + file.deleted <= kLong);
  const unseen = file.hunks.reduce((sum, hunk) => sum + hunk.rows.reduce((n, row) => n + count_hidden(row.text), 0), 0) + count_hidden(file.path);
  const in_rows = new Set(file.hunks.flatMap((hunk) => hunk.rows.map((row) => row.new)));
  const elsewhere = props.notes.filter((note) => note.path === file.path && !in_rows.has(note.line));
  // Where one side is empty, two columns are one too many.
  const Rows = split && file.operation !== 'create' && file.operation !== 'delete' ? Split : Unified;
  const shown = open && !viewed;
  return (
    <section class="file" id={id} aria-label={`Changes in ${file.path}`}>
      <header>
        <h2><button aria-expanded={shown} onClick={() => (viewed ? tick() : set(!open))}><span aria-hidden="true">{shown ? '▾' : '▸'}</span> {file.old_path !== file.path && file.old_path && <><Text of={file.old_path} /> → </>}<Text of={file.path} /></button></h2>
        <span class="op">{file.operation}</span><span class="plus">+{file.added}</span> <span class="minus">−{file.deleted}</span>
        <label class="check"><input type="checkbox" checked={viewed} onChange={tick} /> viewed</label>
      </header>
      {unseen > 0 && <p class="banner bad" role="alert">{unseen} hidden character{unseen === 1 ? '' : 's'} in this file. They are shown as <span class="unseen">U+…</span>: the text may read otherwise than it runs.</p>}
      {shown && elsewhere.map((note) => <div class="note alone" tabIndex={-1} data-note><State of={note.state} says={note.who} /> line {note.line}: <Text of={note.says} /></div>)}
      {shown && file.hunks.map((hunk) => (
        <div class="hunk" data-hunk tabIndex={-1}>
          <div class="at">Lines {hunk.old_start} → {hunk.new_start}</div>
          {chunks(hunk.rows).map((rows) => <Near height={rows.length * kRowHeight}>{() => <Rows {...props} rows={rows} />}</Near>)}
        </div>
      ))}
      {!shown && !viewed && <p class="folded"><button onClick={() => set(true)}>Show {file.added + file.deleted} changed lines</button></p>}
    </section>
  );
}
