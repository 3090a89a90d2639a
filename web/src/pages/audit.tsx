// The hash-chained log, and whether it holds.
import { useEffect, useState } from 'preact/hooks';
import { Ago, Empty, Shown, State, Text, useLoad } from '../parts';

interface Row { seq: number; ts: string; event: string; severity: string; actor: { name: string; kind: string; via: string }; surface: string; subject: Record<string, unknown>; payload: Record<string, unknown> | null; hash: string; prev_hash: string }
interface Page { items: Row[]; next_cursor: number | null }
interface Chain { ok: boolean; rows: number; promotions: number; first_broken_seq: number | null; message: string }

export function Audit() {
  const [cursors, turn] = useState<number[]>([]);
  const [words, set] = useState('');
  const loaded = useLoad<Page>('/audit', cursors.length ? [] : ['audit'], { cursor: cursors.at(-1), limit: 100 });
  const chain = useLoad<Chain>('/audit/verify', ['audit']);
  useEffect(() => { document.title = 'Audit · Gatehouse'; }, []);
  const rows = [...(loaded.data?.items ?? [])].reverse().filter((row) =>
    `${row.seq} ${row.event} ${row.actor.name} ${row.surface} ${JSON.stringify(row.subject)}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <>
      <h1>Audit</h1>
      <Shown of={chain}>{(c) => <p class={`banner ${c.ok ? 'good' : 'bad'}`} role="status"><State of={c.ok ? 'ok' : 'fail'} says={c.ok ? `verified to #${c.rows}` : `broken at #${c.first_broken_seq ?? '?'}`} /> <Text of={c.message} /></p>}</Shown>
      <div class="filters" role="search"><label class="aside" for="words">Filter this page</label>
        <input id="words" type="search" placeholder="event, actor, id" value={words} onInput={(event) => set(event.currentTarget.value)} /></div>
      <Shown of={loaded}>{(data) => data.items.length === 0
        ? <Empty><p><strong>The chain is empty.</strong> Every decision will be a row here.</p></Empty>
        : <table class="list audit"><thead><tr><th scope="col" class="number">#</th><th scope="col">When</th><th scope="col">Event</th><th scope="col">Who</th><th scope="col">Door</th><th scope="col">About</th></tr></thead>
          <tbody>{rows.map((row) => (
            <tr key={row.seq} id={`seq-${row.seq}`}>
              <td class="number">{row.seq}</td><td><Ago at={row.ts} /></td>
              <th scope="row">{row.severity !== 'info' && <State of={row.severity === 'warn' ? 'warning' : 'error'} says={row.severity} />} <Text of={row.event} /></th>
              <td><Text of={row.actor.name} /><span class="sub"> {row.actor.via}</span></td><td>{row.surface}</td>
              <td><details><summary>{Object.entries(row.subject).map(([name, value]) => <span class="chip">{name.replace('_id', '')} <Text of={String(value).slice(0, 28)} /></span>)}</summary>
                <pre><Text of={JSON.stringify(row.payload, null, 1)} /></pre><p class="sub">hash <code>{row.hash}</code></p></details></td>
            </tr>))}</tbody></table>}</Shown>
      <p class="buttons">
        <button disabled={cursors.length === 0} onClick={() => turn(cursors.slice(0, -1))}>Newer</button>
        <button disabled={!loaded.data?.next_cursor} onClick={() => turn([...cursors, loaded.data?.next_cursor as number])}>Older</button>
      </p>
    </>
  );
}
