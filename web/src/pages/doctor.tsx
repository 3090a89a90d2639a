// Is everything that the gate needs in order?
import { useEffect } from 'preact/hooks';
import { repo } from '../api';
import { Shown, State, Text, useLoad } from '../parts';

interface Answer { ok: boolean; checks: { id: string; state: string; what: string; fix: string | null }[] }

export function Doctor() {
  const loaded = useLoad<Answer>(`/repos/${encodeURIComponent(repo.value)}/doctor`);
  useEffect(() => { document.title = 'Doctor · Gatehouse'; }, []);
  return (
    <>
      <h1>Doctor</h1>
      <Shown of={loaded}>{(data) => (
        <table class="list"><thead><tr><th scope="col">State</th><th scope="col">What</th><th scope="col">Repair</th></tr></thead>
          <tbody>{data.checks.map((each) => <tr><td><State of={each.state} /></td><th scope="row"><Text of={each.what} /><div class="sub">{each.id}</div></th><td><Text of={each.fix} /></td></tr>)}</tbody></table>
      )}</Shown>
    </>
  );
}
