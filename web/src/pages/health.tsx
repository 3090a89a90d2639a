// The shape of the code over the stored runs: one plot for each measure, with one cursor over all of them.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { repo } from '../api';
import { Ago, Empty, Mono, Shown, useLoad } from '../parts';

interface Point { run_id: string; seen_utc: string; health: number | null; findings: number | null; complexity_average: number | null; complexity_max: number | null; cycles: number | null; files: number | null; lines: number | null }
interface Trend { points: Point[] }
type Measure = 'health' | 'findings' | 'complexity_max' | 'lines';
const series: [Measure, string][] = [['health', 'Health'], ['findings', 'Findings'], ['complexity_max', 'Highest complexity'], ['lines', 'Lines']];
const spans: [string, number][] = [['all', Infinity], ['30 days', 30], ['7 days', 7]];

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

/** A colour of the page as the canvas takes it: light-dark() is resolved by an element that wears it. */
function worn(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found || colour(name);
}

function Plot({ name, points, of, at }: { name: string; points: Point[]; of: Measure; at: (i: number | null) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const values = points.map((point) => point[of]);
  const known = values.filter((value): value is number => value !== null);
  useEffect(() => {
    const box = place.current;
    if (!box || known.length === 0) return undefined;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const [line, ink, grid] = [worn('--blue'), worn('--soft'), worn('--line')];
      const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '12px system-ui, sans-serif' };
      const times = points.map((point) => Date.parse(point.seen_utc) / 1000);
      const is_moment = (times.at(-1) ?? 0) - (times[0] ?? 0) < 60;  // runs of one moment stand side by side
      plot = new uPlot({
        scales: { x: { time: !is_moment } },
        width: Math.max(200, box.clientWidth), height: 190, legend: { show: false }, padding: [10, 10, 0, 0],
        cursor: { sync: { key: 'health' }, y: false, drag: { x: true, y: false } },
        axes: [{ ...axis, space: 70 }, { ...axis, size: 52 }],
        series: [{}, { stroke: line, width: 2, points: { show: points.length < 60, size: 6, fill: line } }],
        hooks: { setCursor: [(u) => at(u.cursor.idx ?? null)] },
      }, [is_moment ? points.map((_, i) => i + 1) : times, values], box);
    };
    draw();
    const watch = new ResizeObserver(() => { if (plot && Math.abs(plot.width - box.clientWidth) > 2) draw(); });
    watch.observe(box);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => { watch.disconnect(); dark.removeEventListener('change', draw); plot?.destroy(); };
  }, [points]);
  if (known.length === 0) return null;
  const says = `${name} over ${points.length} runs: first ${known[0]}, now ${known.at(-1)}, lowest ${Math.min(...known)}, highest ${Math.max(...known)}`;
  return (
    <figure class="plot">
      <figcaption>{name} <strong>{known.at(-1)}</strong> <span class="sub">{Math.min(...known)} to {Math.max(...known)}</span></figcaption>
      <div ref={place} role="img" aria-label={says} />
    </figure>
  );
}

export function Health() {
  const loaded = useLoad<Trend>(`/repos/${encodeURIComponent(repo.value)}/trend`, ['runs'], { limit: 200 });
  const [table, set] = useState(false);
  const [span, choose] = useState(Infinity);
  const [here, look] = useState<number | null>(null);
  useEffect(() => { document.title = 'Health · Gatehouse'; }, []);
  return (
    <>
      <h1>Health</h1>
      <Shown of={loaded}>{(data) => {
        const oldest = Date.now() - span * 86_400_000;
        const points = [...data.points].sort((a, b) => a.seen_utc.localeCompare(b.seen_utc)).filter((point) => !(Date.parse(point.seen_utc) < oldest));
        if (data.points.length === 0)
          return <Empty><p><strong>Nothing was analysed yet.</strong></p><p class="hint"><code>gatehouse analyze</code> makes a run.</p></Empty>;
        const point = here === null ? points.at(-1) : points[here];
        return (
          <>
            <div class="filters"><div class="chips" role="group" aria-label="Since">{spans.map(([says, days]) => <button aria-pressed={span === days} onClick={() => choose(days)}>{says}</button>)}</div>
              <p class="sub">{point && <>run <Mono of={point.run_id} short={8} />, <Ago at={point.seen_utc} />: {series.map(([of, name]) => `${name.toLowerCase()} ${point[of] ?? '–'}`).join(', ')}</>}</p></div>
            {points.length === 0 && <Empty><p><strong>No run in this time.</strong></p></Empty>}
            <div class="plots">{series.map(([of, name]) => <Plot key={`${of} ${span} ${data.points.length} ${data.points.at(-1)?.run_id}`} name={name} of={of} points={points} at={look} />)}</div>
            <p><button aria-pressed={table} onClick={() => set(!table)}>As a table</button></p>
            {table && <table class="list"><thead><tr><th scope="col">Run</th><th scope="col">When</th>{series.map(([, name]) => <th scope="col" class="number">{name}</th>)}</tr></thead>
              <tbody>{[...points].reverse().map((each) => <tr><th scope="row"><Mono of={each.run_id} short={8} /></th><td><Ago at={each.seen_utc} /></td>{series.map(([of, name]) => <td class="number">{each[of] ?? '–'}<span class="unit"> {name.toLowerCase()}</span></td>)}</tr>)}</tbody></table>}
          </>
        );
      }}</Shown>
    </>
  );
}
