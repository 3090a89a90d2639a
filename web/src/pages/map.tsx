// Who holds which paths, who waits for them, and what nobody declared.
import { useEffect, useState } from 'preact/hooks';
import { ask, has, repo } from '../api';
import { Confirm, type Asked } from '../confirm';
import { Ago, Empty, Mono, Shown, State, Text, useLoad } from '../parts';

interface Scope { allowed_files?: string[]; allowed_related?: string[]; forbidden?: string[] }
interface Intent {
  intent_id: string; agent_label: string; status: string; intent: string; scope: Scope; declared_at_utc: string; expires_at_utc: string;
  ownership: string; lease_expires_in_seconds?: number; worktree?: string; dirty_snapshot?: unknown[];
}
interface Waiting { intent_id: string; agent_label: string; queue_position: number; blocked_by: unknown[] }
interface Workspace { workspace_intents: Intent[]; queue?: Waiting[]; stale_count: number; total_agents: number; workspace_dirty_summary?: Record<string, unknown> }

interface Cell { path: string; holders: Intent[]; waiting: Intent[] }

/** Every path that is named, by folders; the ones of two holders are told apart. */
function cells(all: Intent[]): Map<string, Cell[]> {
  const by_path = new Map<string, Cell>();
  for (const each of all) {
    for (const path of [...(each.scope.allowed_files ?? []), ...(each.scope.allowed_related ?? [])]) {
      const cell = by_path.get(path) ?? { path, holders: [], waiting: [] };
      (each.status === 'queued' ? cell.waiting : cell.holders).push(each);
      by_path.set(path, cell);
    }
  }
  const folders = new Map<string, Cell[]>();
  for (const cell of [...by_path.values()].sort((a, b) => a.path.localeCompare(b.path))) {
    const folder = cell.path.includes('/') ? cell.path.slice(0, cell.path.lastIndexOf('/')) : '.';
    folders.set(folder, [...(folders.get(folder) ?? []), cell]);
  }
  return folders;
}

const hue = (text: string) => [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 360, 7);
const stale = (each: Intent) => each.ownership.endsWith('stale') || each.ownership === 'recoverable' || each.status === 'orphaned';

export function LiveMap() {
  const loaded = useLoad<Workspace>(`/repos/${encodeURIComponent(repo.value)}/map`, ['intents']);
  const [chosen, choose] = useState('');
  const [asked, put] = useState<Asked>();
  useEffect(() => { document.title = 'Live map · Gatehouse'; }, []);
  return (
    <>
      <h1>Live map</h1>
      <Shown of={loaded}>{(data) => {
        const open = data.workspace_intents.filter((each) => !['clean', 'expired'].includes(each.status) || each.ownership.includes('active'));
        if (open.length === 0) return <Empty><p><strong>Nobody holds anything.</strong> Agents that start a change show up here, with the paths they declared.</p><p class="hint"><code>gatehouse change start --goal … --allow FILE</code></p></Empty>;
        return (
          <>
            <p class="sub">{open.length} intent{open.length === 1 ? '' : 's'}, {open.filter((each) => each.status === 'queued').length} waiting{data.stale_count > 0 && `, ${data.stale_count} stale`}</p>
            <div class="map">{[...cells(open)].map(([folder, files]) => (
              <section class="folder" aria-label={folder} style={{ flexGrow: files.length }}><h2><Text of={folder} /></h2>
                <div class="cells">{files.map((cell) => {
                  const holder = cell.holders[0];
                  const overlap = cell.holders.length > 1;
                  const name = cell.path.slice(cell.path.lastIndexOf('/') + 1);
                  return (
                    <button class={`cell ${overlap ? 'overlap' : ''} ${holder && stale(holder) ? 'stale' : ''} ${chosen !== '' && cell.holders.some((h) => h.intent_id === chosen) ? 'chosen' : ''}`}
                      style={holder ? { '--hue': hue(holder.agent_label) } : {}} onClick={() => choose(holder?.intent_id ?? cell.waiting[0]?.intent_id ?? '')}>
                      <strong><Text of={name} /></strong>
                      <span>{holder ? <Text of={holder.agent_label} /> : 'free'}{overlap && ` and ${cell.holders.length - 1} more`}</span>
                      {cell.waiting.length > 0 && <span class="queue">{cell.waiting.length} waiting</span>}
                    </button>
                  );
                })}</div></section>
            ))}</div>
            <h2>Intents</h2>
            <table class="list"><thead><tr><th scope="col">State</th><th scope="col">Agent</th><th scope="col">For</th><th scope="col">Paths</th><th scope="col">Since</th><th scope="col">Lease</th></tr></thead>
              <tbody>{open.map((each) => (
                <tr class={each.intent_id === chosen ? 'here' : ''} key={each.intent_id}>
                  <td><State of={stale(each) ? 'orphaned' : each.status} {...(stale(each) ? { says: 'stale' } : {})} /></td>
                  <th scope="row"><span class="swatch" style={{ '--hue': hue(each.agent_label) }} aria-hidden="true" /> <Text of={each.agent_label} /><div class="sub"><Mono of={each.intent_id} /></div></th>
                  <td><Text of={each.intent} /></td>
                  <td>{(each.scope.allowed_files ?? []).map((path) => <div><Mono of={path} /></div>)}</td>
                  <td><Ago at={each.declared_at_utc} /></td>
                  <td>{each.lease_expires_in_seconds === undefined ? '' : each.lease_expires_in_seconds > 0 ? `${each.lease_expires_in_seconds} s left` : 'ran out'}
                    {stale(each) && has('admin') && <div><button onClick={() => put({
                      title: 'Clear a dead holder', says: 'Clear', look: 'bad', word: each.intent_id.slice(-6), fields: ['reason'],
                      text: <p>Removes <Mono of={each.intent_id} /> of <Text of={each.agent_label} />, if it is dead. What it changed stays as it is.</p>,
                      send: async ({ reason }) => { await ask('POST', `/intents/${encodeURIComponent(each.intent_id)}/evict`, { body: { reason } }); loaded.reload(); },
                    })}>Clear…</button></div>}</td>
                </tr>
              ))}</tbody></table>
            {asked && <Confirm of={asked} reviewers={[]} close={() => put(undefined)} />}
          </>
        );
      }}</Shown>
    </>
  );
}
