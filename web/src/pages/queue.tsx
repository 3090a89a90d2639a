// What waits for a decision, and on whom.
import { useEffect, useState } from 'preact/hooks';
import { has, repo, session } from '../api';
import { useKeys } from '../keys';
import { Ago, Empty, Shown, State, Text, useLoad } from '../parts';
import { go } from '../router';

export interface Listed {
  patch_id: string; promotion_status: string; sub_state: string; trust_level: string; review_status: string[];
  author_agent: string; title: string; files: number; added: number; deleted: number; received_utc: string; target_ref: string;
}
interface Page { items: Listed[]; next_cursor: string | null; total: number }

const open = (p: Listed) => p.promotion_status === 'proposed';

/** Why it waits, in words, and whether it waits for who looks. */
function waits_for(p: Listed, required: string[]): { says: string; me: boolean } {
  const me = session.value?.actor.name ?? '';
  const missing = required.filter((name) => !p.review_status.includes(`${name}_ok`));
  if (!open(p)) return { says: '', me: false };
  if (p.sub_state === 'changes_requested') return { says: 'its author: changes are wanted', me: false };
  if (p.sub_state === 'approved') return { says: 'a promoter', me: has('promoter', 'admin') };
  if (missing.length) return { says: `reviews of ${missing.join(', ')}`, me: session.value?.actor.via === 'local' || missing.includes(me) };
  return { says: 'reviews', me: has('reviewer', 'promoter', 'admin') };
}

function matches(p: Listed, words: string): boolean {
  return words.trim().split(/\s+/).every((word) => {
    const off = word.startsWith('-');
    const plain = (off ? word.slice(1) : word).toLowerCase();
    const [name, value] = plain.includes(':') ? [plain.slice(0, plain.indexOf(':')), plain.slice(plain.indexOf(':') + 1)] : ['', plain];
    const fits = name === 'is' ? (value === 'open' ? open(p) : p.promotion_status === value || p.sub_state === value)
      : name === 'agent' ? p.author_agent.toLowerCase().includes(value)
      : name === 'trust' ? p.trust_level === value
      : `${p.patch_id} ${p.title} ${p.author_agent}`.toLowerCase().includes(plain);
    return plain === '' || fits !== off;
  });
}

const saved = [['Open', 'is:open'], ['Approved', 'is:approved'], ['Changes wanted', 'is:changes_requested'], ['Refused', 'is:sandbox'], ['Promoted', 'is:promoted'], ['All', '']] as const;

export function Queue() {
  const [words, set] = useState('is:open');
  const [at, move] = useState(0);
  const [more, page] = useState<string | undefined>(undefined);
  const loaded = useLoad<Page>(`/repos/${encodeURIComponent(repo.value)}/proposals`, ['proposals'], { limit: 200, cursor: more });
  const config = useLoad<{ proposals: { reviewers?: { required?: string[] } } }>(`/repos/${encodeURIComponent(repo.value)}/policy`);
  const required = config.data?.proposals.reviewers?.required ?? [];
  const rank = (p: Listed) => (waits_for(p, required).me ? 0 : open(p) ? 1 : 2);
  const rows = (loaded.data?.items ?? []).filter((p) => matches(p, words))
    .sort((a, b) => rank(a) - rank(b) || b.received_utc.localeCompare(a.received_utc));
  const here = Math.min(at, rows.length - 1);
  useKeys([
    { keys: 'j', says: 'next row', run: () => move(Math.min(here + 1, rows.length - 1)) },
    { keys: 'k', says: 'previous row', run: () => move(Math.max(here - 1, 0)) },
    { keys: 'Enter', says: 'open', run: () => { const p = rows[here]; if (p) go(`/p/${encodeURIComponent(p.patch_id)}`); } },
    { keys: 'o', says: 'open', run: () => { const p = rows[here]; if (p) go(`/p/${encodeURIComponent(p.patch_id)}`); } },
    { keys: '/', says: 'search', run: () => document.getElementById('words')?.focus() },
  ], [here, rows.map((p) => p.patch_id).join()]);
  useEffect(() => { document.title = 'Queue · Gatehouse'; }, []);
  useEffect(() => { document.querySelector('tr.here')?.scrollIntoView({ block: 'nearest' }); }, [here]);
  return (
    <>
      <h1>Queue</h1>
      <div class="filters" role="search">
        <label class="aside" for="words">Filter</label>
        <input id="words" type="search" value={words} onInput={(event) => { set(event.currentTarget.value); move(0); }}
          onKeyDown={(event) => { if (event.key === 'Enter') event.currentTarget.blur(); }} placeholder="is:open agent:codex -trust:untrusted text" spellcheck={false} />
        <div class="chips">{saved.map(([says, wanted]) => <button aria-pressed={words === wanted} onClick={() => { set(wanted); move(0); }}>{says}</button>)}</div>
      </div>
      <Shown of={loaded}>{() => rows.length === 0
        ? <Empty><p><strong>Nothing here.</strong> {words ? 'No proposal fits this filter.' : 'No agent has proposed anything yet.'}</p><p class="hint"><code>gatehouse proposal submit patches/</code> brings one in.</p></Empty>
        : (
          <table class="list queue">
            <thead><tr><th scope="col">State</th><th scope="col">Proposal</th><th scope="col">Waits for</th><th scope="col">Agent</th><th scope="col" class="number">Files</th><th scope="col" class="number">Lines</th><th scope="col">Age</th></tr></thead>
            <tbody>{rows.map((p, i) => {
              const waits = waits_for(p, required);
              return (
                <tr class={`${i === here ? 'here' : ''} ${waits.me ? 'mine' : ''}`} key={p.patch_id}>
                  <td><State of={p.promotion_status === 'promoted' ? 'promoted' : p.sub_state || p.promotion_status} /></td>
                  <th scope="row"><a href={`/p/${encodeURIComponent(p.patch_id)}`}><Text of={p.title || p.patch_id} /></a>{p.title && <div class="sub"><Text of={p.patch_id} /></div>}</th>
                  <td>{waits.me && <span class="you">you</span>} {waits.says}</td>
                  <td><Text of={p.author_agent} /><span class="sub"> {p.trust_level}</span></td>
                  <td class="number">{p.files}<span class="unit"> files</span></td>
                  <td class="number"><span class="plus">+{p.added}</span> <span class="minus">−{p.deleted}</span></td>
                  <td><Ago at={p.received_utc} /></td>
                </tr>
              );
            })}</tbody>
          </table>
        )}</Shown>
      {loaded.data?.next_cursor && <button onClick={() => page(loaded.data?.next_cursor ?? undefined)}>Next page</button>}
      {more && <button onClick={() => page(undefined)}>First page</button>}
    </>
  );
}
