// One proposal: what it does, what the gate says of it, and the decision.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { ask, has, repo, session, type Verdict } from '../api';
import { FileDiff, type File, type Note } from '../diff';
import { count_hidden } from '../hidden';
import { Confirm, type Asked } from '../confirm';
import { useKeys } from '../keys';
import { Ago, Mono, Shown, State, Text, useLoad } from '../parts';
import { go } from '../router';

interface Review { reviewer: string; actor: string; verdict: string; proposal_digest: string; reasons: { code: string; file: string | null; line: number | null; text: string }[]; created_utc: string; checked: string[] }
interface Check { id: string; ok: boolean | null; code: string | null; message: string | null }
interface Admission { phase: string; decision: string; checks: Check[]; created_utc: string }
interface Event { seq: number; ts: string; event: string; actor: { name: string }; payload: Record<string, unknown> | null }
interface Proposal {
  patch_id: string; revision: number; proposal_digest: string; promotion_status: string; sub_state: string; trust_level: string; review_status: string[];
  actor: string; base_commit: string; candidate_tree: string; target_ref: string; added: number; deleted: number; received_utc: string; updated_utc: string;
  similar_to: string[]; conflicts: string[]; reviews: Review[]; admissions: Admission[]; audit: Event[];
  promotion: { commit: string; branch: string; target_ref: string; new_head: string; promoter: string; rollback_commit: string } | null;
  metadata: { title?: string; author_agent: string; source_gap: string; risk_notes: string; rollback_notes: string; tests_added: string[]; commands_run: string[]; affected_files: string[] };
}
interface Diff { files: File[] | null; diff: string | null }
interface Findings { refused: string | null; findings: { kind: string; severity: string; path: string; line: number; message: string }[] }
interface Config { proposals: { reviewers?: { required?: string[] }; promotion?: { requires?: string } } }

// docs/reference/proposals.md, "Checks"
const checks: Record<string, string> = {
  A1: 'Metadata', A2: 'Denied paths', A3: 'Signature and actor', A4: 'Identity', A5: 'Trust and status', A6: 'Base commit', A7: 'Patch gate',
  A8: 'Diff is git’s own', A9: 'Files as declared', A10: 'Tests', A11: 'Commands', A12: 'Notes', A13: 'State', A14: 'Reviews', A15: 'Who asks',
  A16: 'Base is fresh', A17: 'Conflicts', A18: 'Dependencies', A19: 'Tree and verify commands', A20: 'Scope and release gate',
};
const gates: [string, string[]][] = [
  ['Intake', ['A1', 'A3', 'A4', 'A5', 'A11', 'A12']], ['Paths and policy', ['A2', 'A9']], ['Patch gate', ['A6', 'A7', 'A8']], ['Tests', ['A10']],
  ['Scope and release', ['A20']], ['Reviews', ['A14']], ['Promotion', ['A13', 'A15', 'A16', 'A17', 'A18', 'A19']],
];

const Field = ({ name, children }: { name: string; children: ComponentChildren }) => <div class="field"><dt>{name}</dt><dd>{children}</dd></div>;

function Timeline({ admission, verdict }: { admission: Admission | undefined; verdict: Verdict | undefined }) {
  if (!admission) return <p>No admission is kept.</p>;
  const of = (id: string) => admission.checks.find((check) => check.id === id);
  return (
    <ol class="timeline">{gates.map(([name, ids]) => {
      const rows = ids.map(of).filter((row): row is Check => row !== undefined);
      const failed = rows.filter((row) => row.ok === false);
      const state = failed.length ? 'fail' : rows.every((row) => row.ok === null) ? 'pending' : 'ok';
      return (
        <li><details open={failed.length > 0}><summary><State of={state} says={name} /></summary>
          <ul>{rows.map((row) => <li><span class={row.ok === false ? 'bad' : row.ok ? 'good' : 'off'}>{row.ok === false ? '✗' : row.ok ? '✓' : '·'}</span> {checks[row.id]} <span class="sub">{row.id}</span>
            {row.code && <div><code>{row.code}</code> <Text of={row.message} /></div>}</li>)}</ul>
        </details></li>
      );
    })}
      {verdict && <li><State of={verdict.decision} says={`now: ${verdict.decision}`} /> <span class="sub"><Text of={verdict.headline} /></span></li>}
    </ol>
  );
}

const one_line = (text: string) => text.replace(/\s+/g, ' ').trim();

export function ProposalPage({ id }: { id: string }) {
  const where = `/proposals/${encodeURIComponent(id)}`;
  const loaded = useLoad<Proposal>(where, ['proposals']);
  const [since, compare_with] = useState<number>();
  const diff = useLoad<Diff>(`${where}/diff`, ['proposals'], { from: since });
  const verdict = useLoad<Verdict>(`${where}/verdict`, ['proposals']);
  const shape = useLoad<Findings>(`${where}/findings`);
  const config = useLoad<Config>(`/repos/${encodeURIComponent(repo.value)}/policy`);
  const [split, set_split] = useState(localStorage.getItem('split') !== 'no' && innerWidth > 900);
  const [viewed, set_viewed] = useState<Set<string>>(new Set());
  const [asked, open] = useState<Asked>();
  const put = (question: Asked) => open((before) => ({ ...question, nth: (before?.nth ?? 0) + 1 }));
  const [drafts, draft] = useState<Note[]>([]);
  const kept = useRef(drafts);  // also for a key that is pressed before the page was drawn again
  kept.current = drafts;
  const etag = useRef('');
  etag.current = loaded.etag;
  const [said, say] = useState('');
  useEffect(() => { document.title = `${id} · Gatehouse`; }, [id]);

  const p = loaded.data;
  const files = diff.data?.files ?? [];
  const is_local = session.value?.actor.via === 'local';
  const reviewers = is_local ? (config.data?.proposals.reviewers?.required ?? []) : [];
  const notes = useMemo<Note[]>(() => [
    ...(p?.reviews ?? []).flatMap((r) => r.reasons.filter((each) => each.file && each.line).map((each) => ({ path: each.file as string, line: each.line as number, who: r.reviewer, state: 'changes', says: `${each.code}: ${each.text}` }))),
    ...(verdict.data?.reasons ?? []).filter((r) => r.path && r.line).map((r) => ({ path: r.path as string, line: r.line as number, who: r.id, state: r.severity, says: r.message })),
    ...(shape.data?.findings ?? []).map((f) => ({ path: f.path, line: f.line, who: f.kind.replaceAll('_', ' '), state: f.severity, says: f.message })),
    ...drafts,
  ], [p, verdict.data, shape.data, drafts]);

  /** `seen`: the state that was on the page when the question was put. */
  const decide = async (seen: string, verb: string, body: Record<string, unknown>, done: string) => {
    await ask('POST', `${where}/${verb}`, { body, etag: seen });
    say(done);
    loaded.reload();
    verdict.reload();
  };
  const as = (reviewer: string) => (is_local && reviewer ? { as: reviewer } : {});
  const approve = (seen = etag.current) => p && put({
    title: 'Approve', says: 'Approve', look: 'good', fields: ['reviewer'],
    text: <p>You agree with exactly this digest: <Mono of={p.proposal_digest} short={16} /></p>,
    send: ({ reviewer }) => decide(seen, 'reviews', { ...as(reviewer), verdict: 'ok', digest: p.proposal_digest, checked: ['diff'] }, 'Approved.'),
  });
  const want_changes = (seen = etag.current) => p && put({
    title: 'Request changes', says: 'Request changes', look: 'bad', fields: ['reviewer', 'reason'],
    text: drafts.length ? <p>{drafts.length} comment{drafts.length === 1 ? '' : 's'} at lines go with it.</p> : <p>Say what has to change. A click on a line number puts a comment there.</p>,
    send: async ({ reviewer, reason }) => {
      const reasons = [`changes:${one_line(reason)}`, ...kept.current.map((each) => (each.path.includes(':') ? `comment:${each.path} line ${each.line}: ${each.says}` : `comment:${each.path}:${each.line}:${each.says}`))];
      await decide(seen, 'reviews', { ...as(reviewer), verdict: 'changes', digest: p.proposal_digest, reasons }, 'Changes are requested.');
      draft([]);
    },
  });
  const promote = (seen = etag.current) => p && put({
    title: 'Promote', says: 'Promote', look: 'main', word: p.patch_id,
    text: <>{verdict.data?.decision === 'deny' && <p class="banner bad" role="alert">The gate says no now: <Text of={verdict.data.reasons[0]?.message} />. Asking it anyway may reject the proposal for good.</p>}
      <p>The promotion gate checks everything again, makes the commit anew from its base and moves the branch.</p>
      <dl class="facts"><Field name="Branch"><Mono of={p.target_ref} /></Field><Field name="Base"><Mono of={p.base_commit} short={12} /></Field><Field name="Tree"><Mono of={p.candidate_tree} short={12} /></Field><Field name="Digest"><Mono of={p.proposal_digest} short={16} /></Field></dl></>,
    send: ({ typed }) => decide(seen, 'promote', { confirm: typed }, 'Promoted.'),
  });
  const reject = (seen = etag.current) => p && put({
    title: 'Reject', says: 'Reject', look: 'bad', fields: ['reason'], text: <p>This ends the proposal. Its author may prepare another one.</p>,
    send: ({ reason }) => decide(seen, 'reject', { reason: `rejected:${one_line(reason)}` }, 'Rejected.'),
  });
  const comment = (path: string, line: number) => put({
    title: `Comment on ${path}, line ${line}`, says: 'Keep for the review', look: 'main', fields: ['reason'],
    text: <p>It is sent together with “Request changes”.</p>,
    send: async ({ reason }) => { draft((before) => [...before, { path, line, who: 'your comment', state: 'pending', says: one_line(reason), draft: Date.now() }]); },
  });

  const jump = (selector: string, step: number) => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)];
    const top = (each: HTMLElement) => each.getBoundingClientRect().top - 90;
    const next = step > 0 ? all.find((each) => top(each) > 5) : all.findLast((each) => top(each) < -5);
    next?.scrollIntoView({ block: 'start' });
    next?.focus({ preventScroll: true });
  };
  /** What stands at the top of the window, below the bars. */
  const at_top = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.getBoundingClientRect().bottom > 110);
  const is_open = p?.promotion_status === 'proposed';
  const may_review = is_open && has('reviewer', 'promoter', 'admin');
  const may_promote = is_open && has('promoter', 'admin');
  const tick = (path: string) => set_viewed((before) => { const now = new Set(before); if (!now.delete(path)) now.add(path); return now; });
  useKeys([
    { keys: 'u', says: 'up to the queue', run: () => go('/') },
    { keys: 'j', says: 'next hunk', run: () => jump('[data-hunk]', 1) }, { keys: 'k', says: 'previous hunk', run: () => jump('[data-hunk]', -1) },
    { keys: 'n', says: 'next finding', run: () => jump('[data-note]', 1) }, { keys: 'p', says: 'previous finding', run: () => jump('[data-note]', -1) },
    { keys: ']', says: 'next file', run: () => jump('section.file', 1) }, { keys: '[', says: 'previous file', run: () => jump('section.file', -1) },
    { keys: 'x', says: 'tick the file as viewed', run: () => at_top('section.file')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click() },
    { keys: 's', says: 'side by side or unified', run: () => set_split((now) => !now) },
    { keys: 'y', says: 'copy the address', run: () => void navigator.clipboard?.writeText(location.href) },
    ...(may_review ? [{ keys: 'c', says: 'comment on the hunk', run: () => {
      const hunk = document.activeElement?.closest('[data-hunk]') ?? at_top('[data-hunk]');
      const line = hunk?.querySelector<HTMLElement>('tr.added button.line') ?? hunk?.querySelector<HTMLElement>('td:has(+ td.added) button.line') ?? hunk?.querySelector<HTMLElement>('button.line');
      line?.click();
    } }, { keys: 'a', says: 'approve', run: () => approve() }, { keys: 'r', says: 'request changes', run: () => want_changes() }] : []),
    ...(may_promote ? [{ keys: 'P', says: 'promote', run: () => promote() }] : []),
  ], [p, may_review, may_promote, drafts.length, reviewers.join(), loaded.etag, verdict.data]);
  useEffect(() => localStorage.setItem('split', split ? 'yes' : 'no'), [split]);

  return (
    <Shown of={loaded}>{(data) => {
      const unseen = count_hidden(JSON.stringify(data.metadata).replaceAll(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));
      const state = data.promotion_status === 'promoted' ? 'promoted' : data.sub_state || data.promotion_status;
      const reasons = verdict.data?.reasons ?? [];
      const blocking = reasons.find((reason) => reason.id !== 'PROP_CONFIRMATION_MISSING') ?? reasons[0];  // which is asked for at the end
      return (
        <article class="proposal">
          <header class="head">
            <p class="sub"><a href="/">Queue</a> / <Text of={data.patch_id} /></p>
            <h1><Text of={data.metadata.title || data.patch_id} /></h1>
            <p class="says"><State of={state} /> {is_open && verdict.data && <><State of={verdict.data.decision} says={`gate: ${verdict.data.decision}`} /> <span class="sub">if promoted now:</span> <Text of={verdict.data.headline} /></>}
              {data.promotion && <>as <Mono of={data.promotion.commit} short={12} /> on <Mono of={data.promotion.target_ref} /> by <Text of={data.promotion.promoter} /></>}</p>
            {is_open && blocking && <p class="blocking"><code>{blocking.id}</code> <Text of={blocking.message} /></p>}
            {unseen > 0 && <p class="banner bad" role="alert">{unseen} hidden character{unseen === 1 ? '' : 's'} in what the author wrote; shown as <span class="unseen">U+…</span>.</p>}
            <p class="said" role="status">{said}</p>
            {may_review && <div class="buttons decide">
              <button class="good" onClick={() => approve()}>Approve</button>
              <button class="bad" onClick={() => want_changes()}>Request changes{drafts.length ? ` (${drafts.length})` : ''}</button>
              {may_promote && <button class="main" onClick={() => promote()}>Promote…</button>}
              {may_promote && <button onClick={() => reject()}>Reject…</button>}
            </div>}
          </header>
          <div class="columns">
            <nav class="tree" aria-label="Changed files"><h2>{files.length} file{files.length === 1 ? '' : 's'}</h2>
              <ul>{files.map((file, i) => <li><a href={`#file-${i}`} onClick={(event) => { event.preventDefault(); document.getElementById(`file-${i}`)?.scrollIntoView(); }} class={viewed.has(file.path) ? 'viewed' : ''}>
                <Text of={file.path} /></a> <span class="plus">+{file.added}</span> <span class="minus">−{file.deleted}</span>
                {notes.some((note) => note.path === file.path) && <span class="count" title="findings and comments">{notes.filter((note) => note.path === file.path).length}</span>}</li>)}</ul>
            </nav>
            <div class="centre">
              <div class="bar"><div role="group" aria-label="How the diff is shown">
                <button aria-pressed={split} onClick={() => set_split(true)}>Side by side</button><button aria-pressed={!split} onClick={() => set_split(false)}>Unified</button></div>
                {data.revision > 1 && <select aria-label="What is shown" value={since ?? ''} onChange={(event) => compare_with(Number(event.currentTarget.value) || undefined)}>
                  <option value="">the whole change</option>{Array.from({ length: data.revision - 1 }, (_, i) => data.revision - 1 - i).map((n) => <option value={n}>since revision {n}</option>)}</select>}
                <span class="sub">{viewed.size} of {files.length} viewed</span></div>
              <Shown of={diff}>{(d) => d.files === null
                ? <pre class="raw"><Text of={d.diff} /></pre>
                : d.files.length === 0 ? <p class="empty">{since ? `The change is the one of revision ${since}.` : 'The change is empty.'}</p>
                : <>{d.files.map((file, i) => <FileDiff key={file.path} id={`file-${i}`} file={file} split={split} notes={notes} viewed={viewed.has(file.path)} tick={() => tick(file.path)}
                    {...(may_review ? { on_line: (line: number) => comment(file.path, line) } : {})} drop={(note) => draft((all) => all.filter((each) => each !== note))} />)}</>}</Shown>
            </div>
            <aside class="rail" aria-label="About this proposal">
              <section><h2>Gates</h2><Timeline admission={data.admissions.at(-1)} verdict={is_open ? verdict.data : undefined} /></section>
              <section><h2>Reviews</h2>
                {data.reviews.length === 0 && <p class="sub">None yet.</p>}
                <ul class="reviews">{data.reviews.map((r) => <li><State of={r.verdict} says={r.reviewer} /> <Ago at={r.created_utc} />{r.proposal_digest !== data.proposal_digest && <span class="sub"> of an earlier digest</span>}
                  {r.reasons.map((reason) => <div class="because"><code>{reason.code}</code> {reason.file && <Mono of={`${reason.file}:${reason.line}`} />} <Text of={reason.text} /></div>)}</li>)}</ul>
                <p class="sub">{data.review_status.map((each) => <span class="chip"><Text of={each} /></span>)}</p></section>
              <section><h2>About</h2><dl>
                <Field name="Agent"><Text of={data.metadata.author_agent} /></Field><Field name="Signed by"><Text of={data.actor} /></Field>
                <Field name="For"><Text of={data.metadata.source_gap} /></Field><Field name="Trust"><Text of={data.trust_level} /></Field>
                <Field name="Base"><Mono of={data.base_commit} short={12} /></Field><Field name="Target"><Mono of={data.target_ref} /></Field>
                <Field name="Risk"><Text of={data.metadata.risk_notes} /></Field><Field name="Rollback"><Text of={data.metadata.rollback_notes} /></Field>
                <Field name="Tests"><ul>{data.metadata.tests_added.map((each) => <li><Mono of={each} /></li>)}</ul></Field>
                <Field name="Commands"><ul>{data.metadata.commands_run.map((each) => <li><Mono of={each} /></li>)}</ul></Field>
                {data.conflicts.length > 0 && <Field name="Conflicts"><ul>{data.conflicts.map((each) => <li><Text of={each} /></li>)}</ul></Field>}
                <Field name="Digest"><Mono of={data.proposal_digest} short={16} /></Field></dl></section>
              <section><h2>History</h2><ol class="history">{data.audit.map((each) => <li><Ago at={each.ts} /> <strong>{each.event.replace('proposal.', '')}</strong> by <Text of={each.actor.name} /> <span class="sub">#{each.seq}</span></li>)}</ol></section>
            </aside>
          </div>
          {asked && <Confirm key={asked.nth} of={asked} reviewers={reviewers} close={() => open((now) => (now === asked ? undefined : now))} />}
        </article>
      );
    }}</Shown>
  );
}
