// What the latest analysis found, by facets.
import { useEffect, useState } from 'preact/hooks';
import { Empty, Mono, Shown, State, Text, useLoad } from '../parts';

interface Item { qualname: string; relative_path: string; start_line: number; end_line: number }
interface Finding { id: string; family: string; category: string; kind: string; severity: string; confidence: string; count: number; facts: Record<string, unknown>; items: Item[]; novelty?: string }
interface Answer { run_id: string; total: number; findings: Finding[] }

const facets = [['severity', 'Severity'], ['family', 'Family'], ['novelty', 'Novelty'], ['kind', 'Kind']] as const;
type Facet = (typeof facets)[number][0];
const words_of = (of: string) => of.replaceAll('_', ' ');
const look: Record<string, string> = { critical: 'error', warning: 'warning', info: 'note' };

export function Findings() {
  const loaded = useLoad<Answer>('/runs/latest/findings', ['runs']);
  const [chosen, choose] = useState<Partial<Record<Facet, string>>>({});
  const [words, set] = useState('');
  useEffect(() => { document.title = 'Findings · Gatehouse'; }, []);
  if (loaded.problem?.code === 'run_not_found')
    return <><h1>Findings</h1><Empty><p><strong>Nothing was analysed yet.</strong></p><p class="hint"><code>gatehouse analyze</code> makes a run.</p></Empty></>;
  return (
    <>
      <h1>Findings</h1>
      <Shown of={loaded}>{(data) => {
        const fits = (f: Finding, but?: Facet) => facets.every(([name]) => name === but || !chosen[name] || f[name] === chosen[name])
          && f.items.concat([{ qualname: f.kind, relative_path: f.id, start_line: 0, end_line: 0 }]).some((i) => `${i.relative_path} ${i.qualname}`.toLowerCase().includes(words.toLowerCase()));
        const rows = data.findings.filter((f) => fits(f));
        return (
          <>
            <p class="sub">{rows.length} of {data.total} in run <Mono of={data.run_id} short={8} /></p>
            <div class="filters" role="search"><label class="aside" for="words">Filter</label><input id="words" type="search" placeholder="path or name" value={words} onInput={(event) => set(event.currentTarget.value)} /></div>
            {facets.map(([name, says]) => {
              const counts = new Map<string, number>();
              for (const f of data.findings) if (f[name] && fits(f, name)) counts.set(f[name] as string, (counts.get(f[name] as string) ?? 0) + 1);
              return counts.size > 1 && <div class="facet" role="group" aria-label={says}><span class="sub">{says}</span> <span class="chips">{[...counts].sort().map(([value, n]) =>
                <button aria-pressed={chosen[name] === value} onClick={() => choose({ ...chosen, [name]: chosen[name] === value ? undefined : value })}>{words_of(value)} {n}</button>)}</span></div>;
            })}
            {rows.length === 0 ? <Empty><p><strong>Nothing fits.</strong></p></Empty> : (
              <table class="list"><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Where</th></tr></thead>
                <tbody>{rows.slice(0, 300).map((f) => <tr key={f.id}>
                  <td><State of={look[f.severity] ?? 'note'} says={f.severity} />{f.novelty === 'new' && <div><span class="you">new</span></div>}</td>
                  <th scope="row">{words_of(f.kind)}<div class="sub">{words_of(f.family)}, {f.confidence} confidence</div></th>
                  <td><details><summary><Mono of={f.items[0] ? `${f.items[0].relative_path}:${f.items[0].start_line}` : ''} />{f.items.length > 1 && ` and ${f.items.length - 1} more`}</summary>
                    <ul>{f.items.map((i) => <li><Mono of={`${i.relative_path}:${i.start_line}-${i.end_line}`} /> <Text of={i.qualname} /></li>)}</ul>
                    <pre><Text of={JSON.stringify(f.facts, null, 1)} /></pre><p class="sub"><Mono of={f.id} /></p></details></td>
                </tr>)}</tbody></table>)}
            {rows.length > 300 && <p class="sub">{rows.length - 300} more: narrow the filter.</p>}
          </>
        );
      }}</Shown>
    </>
  );
}
