// A decision is asked once more.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused, type Problem } from './api';
import { Trouble } from './parts';

export interface Asked { nth?: number; title: string; text: ComponentChildren; word?: string; says: string; look: string; fields?: ('reason' | 'reviewer')[]; send: (given: { typed: string; reason: string; reviewer: string }) => Promise<void> }

/** The dialog stays until the server has answered, and shows what it said. */
export function Confirm({ of, reviewers, close }: { of: Asked; reviewers: string[]; close: () => void }) {
  const at = useRef<HTMLDialogElement>(null);
  const [typed, type] = useState('');
  const [reason, because] = useState('');
  const [reviewer, as] = useState(reviewers[0] ?? '');
  const [busy, work] = useState(false);
  const [problem, tell] = useState<Problem>();
  useEffect(() => at.current?.showModal(), []);
  const is_ready = (!of.word || typed === of.word) && (!of.fields?.includes('reason') || reason.trim() !== '');
  return (
    <dialog ref={at} onClose={close} aria-labelledby="confirm-title">
      <form onSubmit={(event) => {
        event.preventDefault();
        if (!is_ready) return;
        work(true);
        of.send({ typed, reason: reason.trim(), reviewer }).then(() => at.current?.close(), (error: unknown) =>
          tell(error instanceof Refused ? error.problem : { status: 0, title: '', code: 'fault', detail: String(error) })).finally(() => work(false));
      }} onKeyDown={(event) => { if (event.key === 'Enter' && event.ctrlKey) event.currentTarget.requestSubmit(); }}>
        <h2 id="confirm-title">{of.title}</h2>
        {of.text}
        {of.fields?.includes('reviewer') && reviewers.length > 0 && <p><label for="reviewer">Review as</label>
          <select id="reviewer" value={reviewer} onChange={(event) => as(event.currentTarget.value)}>{reviewers.map((name) => <option>{name}</option>)}</select></p>}
        {of.fields?.includes('reason') && <p><label for="reason">Reason, kept in the audit chain</label>
          <textarea id="reason" rows={3} value={reason} onInput={(event) => because(event.currentTarget.value)} /></p>}
        {of.word && <p><label for="typed">Type <code>{of.word}</code> to confirm</label>
          <input id="typed" autocomplete="off" spellcheck={false} value={typed} onInput={(event) => type(event.currentTarget.value)} /></p>}
        {problem && <Trouble problem={problem} />}
        <p class="buttons"><button class={of.look} type="submit" disabled={busy || !is_ready}>{busy ? 'Asking…' : of.says}</button>
          <button type="button" onClick={() => at.current?.close()}>Cancel</button></p>
      </form>
    </dialog>
  );
}

