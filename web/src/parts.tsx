// Small parts that every page is made of.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refused, get, on_change, repo, type Problem } from './api';
import { code_of, name_of, pieces } from './hidden';

/** Text of an agent: text nodes alone, and nothing in it that cannot be seen. */
export function Text({ of }: { of: string | null | undefined }) {
  const all = pieces(of ?? '');
  if (all.length === 1 && !all[0]?.hidden) return <>{of}</>;
  return <>{all.map((piece) => piece.hidden
    ? <span class="unseen" title={name_of(piece.text)}>{code_of(piece.text)}</span>
    : piece.text)}</>;
}

const words: Record<string, [string, string, string]> = {
  // word: class, symbol, text
  allow: ['good', '✓', 'allow'], review: ['wait', '●', 'needs review'], unverified: ['wait', '?', 'unverified'], deny: ['bad', '✗', 'deny'],
  ok: ['good', '✓', 'ok'], changes: ['bad', '✗', 'changes wanted'], pending: ['wait', '●', 'pending'],
  sandbox: ['bad', '✗', 'refused at intake'], proposed: ['wait', '●', 'in review'], promoted: ['good', '✓', 'promoted'], rejected: ['bad', '✗', 'rejected'],
  approved: ['good', '✓', 'approved'], in_review: ['wait', '●', 'in review'], changes_requested: ['bad', '✗', 'changes requested'],
  stale: ['wait', '?', 'stale'], withdrawn: ['off', '–', 'withdrawn'], superseded: ['off', '–', 'superseded'], rolled_back: ['bad', '↺', 'rolled back'],
  refused: ['bad', '✗', 'refused'], active: ['good', '▶', 'active'], queued: ['wait', '●', 'queued'], expanded: ['wait', '!', 'beyond scope'],
  violated: ['bad', '✗', 'violated'], expired: ['off', '–', 'expired'], orphaned: ['off', '–', 'orphaned'], clean: ['good', '✓', 'clean'],
  warn: ['wait', '!', 'warning'], fail: ['bad', '✗', 'fails'], error: ['bad', '✗', 'error'], warning: ['wait', '!', 'warning'], note: ['off', 'i', 'note'],
  info: ['off', 'i', 'info'], admit: ['good', '✓', 'admitted'], refuse: ['bad', '✗', 'refused'], defer: ['wait', '●', 'waits'], reject: ['bad', '✗', 'rejected'],
};

/** A state by colour, symbol and word. */
export function State({ of, says }: { of: string; says?: string }) {
  const [look, symbol, word] = words[of] ?? ['off', '·', of.replaceAll('_', ' ')];
  return <span class={`state ${look}`}><span aria-hidden="true">{symbol}</span> {says ?? word}</span>;
}

const units: [number, string][] = [[86400, 'd'], [3600, 'h'], [60, 'min']];
export function age(time: string | null | undefined): string {
  const seconds = (Date.now() - Date.parse(time ?? '')) / 1000;
  if (Number.isNaN(seconds)) return '';
  for (const [size, unit] of units) if (Math.abs(seconds) >= size) return `${Math.floor(Math.abs(seconds) / size)} ${unit}`;
  return 'now';
}
export const Ago = ({ at }: { at: string | null | undefined }) => <time dateTime={at ?? ''} title={at ?? ''}>{age(at)}</time>;

export const Mono = ({ of, short }: { of: string | null | undefined; short?: number }) =>
  <code title={of ?? ''}>{short ? (of ?? '').slice(0, short) : <Text of={of} />}</code>;

export interface Loaded<T> { data?: T; etag: string; problem?: Problem; busy: boolean; reload: () => void }

/** What is at an address, and again when a topic moves. What was shown stays until the next answer is there. */
export function useLoad<T>(path: string | null, topics: string[] = [], query?: Record<string, string | number | undefined>): Loaded<T> {
  const [state, set] = useState<{ data?: T; etag: string; problem?: Problem; busy: boolean; of: string }>({ etag: '', busy: true, of: '' });
  const [turn, again] = useState(0);
  const key = `${repo.value} ${path} ${JSON.stringify(query ?? {})}`;
  useEffect(() => {
    if (path === null) return undefined;
    let over = false;
    set((before) => (before.of === key ? { ...before, busy: true } : { etag: '', busy: true, of: key }));
    get<T>(path, query).then(
      ({ data, etag }) => over || set({ data, etag, busy: false, of: key }),
      (error: unknown) => over || set((before) => ({
        ...before, busy: false, of: key,
        problem: error instanceof Refused ? error.problem : { status: 0, title: 'Fault', code: 'fault', detail: String(error) },
      })),
    );
    return () => { over = true; };
  }, [key, turn]);
  useEffect(() => (topics.length ? on_change(topics, () => again((n) => n + 1)) : undefined), [topics.join()]);
  return { ...state, ...(state.of === key ? {} : { data: undefined, problem: undefined }), reload: () => again((n) => n + 1) };
}

export function Trouble({ problem }: { problem: Problem }) {
  const reasons = problem.verdict?.reasons.map((r) => ({ code: r.id, message: r.message, next: r.next.command ?? r.next.why ?? undefined }))
    ?? problem.document?.reasons ?? [];
  return (
    <div class="trouble" role="alert">
      <p><strong><Text of={problem.verdict?.headline ?? problem.detail} /></strong> <code>{problem.code}</code></p>
      {reasons.length > 0 && <ul>{reasons.map((r) => <li><code>{r.code}</code> <Text of={r.message} />{r.next && <div class="next">Next: <Text of={r.next} /></div>}</li>)}</ul>}
      {reasons.length === 0 && problem.next && <p class="next">Next: <Text of={problem.next} /></p>}
    </div>
  );
}

/** Waiting, trouble, or what there is. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined) return <>{of.problem && <Trouble problem={of.problem} />}{children(of.data)}</>;
  if (of.problem) return <Trouble problem={of.problem} />;
  return <p class="waiting" aria-busy="true">Loading…</p>;
}

export const Empty = ({ children }: { children: ComponentChildren }) => <div class="empty">{children}</div>;
