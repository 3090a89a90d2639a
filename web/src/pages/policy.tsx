// The policy in force, key by key.
import { useEffect, useState } from 'preact/hooks';
import { repo } from '../api';
import { Mono, Shown, Text, useLoad } from '../parts';

type Tree = { [name: string]: unknown };

function* lines(tree: Tree, above = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = above ? `${above}.${name}` : name;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) yield* lines(value as Tree, path);
    else yield [path, value];
  }
}

export function Policy() {
  const loaded = useLoad<Tree & { source: string; policy_sha256: string }>(`/repos/${encodeURIComponent(repo.value)}/policy`);
  const [words, set] = useState('');
  useEffect(() => { document.title = 'Policy · Gatehouse'; }, []);
  return (
    <>
      <h1>Policy</h1>
      <Shown of={loaded}>{({ source, policy_sha256, tool: _tool, schema: _schema, ...blocks }) => (
        <>
          <p>From <strong><Text of={source} /></strong> of the work tree. A change is judged by the file at its base. <span class="sub">digest <Mono of={policy_sha256} short={16} /></span></p>
          <div class="filters" role="search"><label class="aside" for="words">Filter keys</label><input id="words" type="search" placeholder="key" value={words} onInput={(event) => set(event.currentTarget.value)} /></div>
          {Object.entries(blocks).filter(([, block]) => block !== null && typeof block === 'object').map(([name, block]) => {
            const rows = [...lines(block as Tree)].filter(([key]) => `${name}.${key}`.includes(words));
            return rows.length > 0 && (
              <section><h2>{name}</h2><table class="list policy"><tbody>{rows.map(([key, value]) => <tr><th scope="row"><code>{key}</code></th><td>
                {Array.isArray(value) ? value.length === 0 ? <span class="sub">none</span> : <details open={value.length <= 6}><summary>{value.length}</summary><ul>{value.map((each) => <li><Mono of={typeof each === 'string' ? each : JSON.stringify(each)} /></li>)}</ul></details>
                  : <Mono of={value === '' || value === null ? '–' : String(value)} />}</td></tr>)}</tbody></table></section>
            );
          })}
        </>
      )}</Shown>
    </>
  );
}
