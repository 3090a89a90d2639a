// The shape of the code over the stored runs.
import { useEffect, useState } from 'preact/hooks';
import { repo } from '../api';
import { Ago, Empty, Mono, Shown, useLoad } from '../parts';

interface Point { run_id: string; seen_utc: string; health: number | null; findings: number | null; complexity_average: number | null; complexity_max: number | null; cycles: number | null; files: number | null; lines: number | null }
interface Trend { points: Point[] }
const series: [keyof Point, string][] = [['health', 'Health'], ['findings', 'Findings'], ['complexity_max', 'Highest complexity'], ['lines', 'Lines']];

function Plot({ name, points, of }: { name: string; points: Point[]; of: keyof Point }) {
  const values = points.map((point) => point[of]).map((value) => (typeof value === 'number' ? value : null));
  const known = values.filter((value): value is number => value !== null);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (i: number) => (points.length < 2 ? 50 : (i / (points.length - 1)) * 100);
  const y = (value: number) => 38 - (high === low ? 18 : ((value - low) / (high - low)) * 36);
  const line = values.map((value, i) => (value === null ? '' : `${x(i).toFixed(2)},${y(value).toFixed(2)}`)).filter(Boolean).join(' ');
  return (
    <figure class="plot">
      <figcaption>{name} <strong>{known.at(-1)}</strong> <span class="sub">{low} to {high}</span></figcaption>
      <svg viewBox="-1 0 102 40" preserveAspectRatio="none" role="img" aria-label={`${name} over ${points.length} runs, from ${known[0]} to ${known.at(-1)}`}>
        {known.length === 1 ? <circle cx={50} cy={20} r={1.2} /> : <polyline points={line} />}</svg>
    </figure>
  );
}

export function Health() {
  const loaded = useLoad<Trend>(`/repos/${encodeURIComponent(repo.value)}/trend`, ['runs'], { limit: 100 });
  const [table, set] = useState(false);
  useEffect(() => { document.title = 'Health · Gatehouse'; }, []);
  return (
    <>
      <h1>Health</h1>
      <Shown of={loaded}>{({ points }) => points.length === 0
        ? <Empty><p><strong>Nothing was analysed yet.</strong></p><p class="hint"><code>gatehouse analyze</code> makes a run.</p></Empty>
        : <>
          <div class="plots">{series.map(([of, name]) => <Plot name={name} of={of} points={points} />)}</div>
          <p><button aria-pressed={table} onClick={() => set(!table)}>As a table</button></p>
          {table && <table class="list"><thead><tr><th scope="col">Run</th><th scope="col">When</th>{series.map(([, name]) => <th scope="col" class="number">{name}</th>)}</tr></thead>
            <tbody>{[...points].reverse().map((point) => <tr><th scope="row"><Mono of={point.run_id} short={8} /></th><td><Ago at={point.seen_utc} /></td>{series.map(([of]) => <td class="number">{point[of] ?? '–'}</td>)}</tr>)}</tbody></table>}
        </>}</Shown>
    </>
  );
}
