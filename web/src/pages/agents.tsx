// What each agent proposed, how it ended, and what it holds now.
import { useEffect, useState } from 'preact/hooks';
import { get, has, on_change, repo } from '../api';
import { Ago, Empty, Text, useLoad } from '../parts';
import type { Listed } from './queue';

interface Row { agent: string; proposed: number; open: number; promoted: number; rejected: number; refused: number; lines: number; last: string; holds: number }
interface Page { items: Listed[]; next_cursor: string | null }
const kPages = 25;  // of 200: more are counted by the command line

async function every_proposal(name: string): Promise<Listed[]> {
  const all: Listed[] = [];
  let cursor: string | undefined;
  for (let i = 0; i < kPages; i += 1) {
    const { data } = await get<Page>(`/repos/${encodeURIComponent(name)}/proposals`, { limit: 200, cursor });
    all.push(...data.items);
    if (!data.next_cursor) break;
    cursor = data.next_cursor;
  }
  return all;
}

export function Agents() {
  const [all, set] = useState<Listed[]>();
  const map = useLoad<{ workspace_intents: { agent_label: string; status: string }[] }>(has('reviewer', 'promoter', 'admin') ? `/repos/${encodeURIComponent(repo.value)}/map` : null, ['intents']);
  useEffect(() => {
    const load = () => void every_proposal(repo.value).then(set, () => set([]));
    load();
    return on_change(['proposals'], load);
  }, [repo.value]);
  useEffect(() => { document.title = 'Agents · Gatehouse'; }, []);
  const rows = new Map<string, Row>();
  const row = (agent: string) => {
    const found = rows.get(agent) ?? { agent, proposed: 0, open: 0, promoted: 0, rejected: 0, refused: 0, lines: 0, last: '', holds: 0 };
    rows.set(agent, found);
    return found;
  };
  for (const p of all ?? []) {
    const r = row(p.author_agent);
    r.proposed += 1;
    if (p.promotion_status === 'proposed') r.open += 1;
    if (p.promotion_status === 'promoted') { r.promoted += 1; r.lines += p.added + p.deleted; }
    if (p.promotion_status === 'rejected') r.rejected += 1;
    if (p.promotion_status === 'sandbox') r.refused += 1;
    if (p.received_utc > r.last) r.last = p.received_utc;
  }
  for (const each of map.data?.workspace_intents ?? []) if (['active', 'queued', 'expanded'].includes(each.status)) row(each.agent_label).holds += 1;
  const shown = [...rows.values()].sort((a, b) => b.last.localeCompare(a.last) || a.agent.localeCompare(b.agent));
  return (
    <>
      <h1>Agents</h1>
      {all === undefined ? <p class="waiting" aria-busy="true">Loading…</p> : shown.length === 0
        ? <Empty><p><strong>No agent was here yet.</strong></p></Empty>
        : <table class="list"><thead><tr><th scope="col">Agent, as it calls itself</th><th scope="col" class="number">Proposed</th><th scope="col" class="number">Open</th><th scope="col" class="number">Promoted</th><th scope="col" class="number">Rejected</th><th scope="col" class="number">Refused at intake</th><th scope="col" class="number">Lines landed</th><th scope="col" class="number">Intents now</th><th scope="col">Last</th></tr></thead>
          <tbody>{shown.map((r) => <tr key={r.agent}><th scope="row"><Text of={r.agent} /></th>
            {([['proposed', r.proposed], ['open', r.open], ['promoted', r.promoted], ['rejected', r.rejected], ['refused', r.refused], ['lines', r.lines], ['intents', r.holds]] as const).map(([name, n]) => <td class="number">{n}<span class="unit"> {name}</span></td>)}
            <td><Ago at={r.last} /></td></tr>)}</tbody></table>}
    </>
  );
}
