import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './style.css';
import { begin, choose_repo, live, log_in, log_out, has, repo, repos, session, version } from './api';
import { all_keys, are_on, listen_to_keys, switch_keys, useKeys } from './keys';
import { Trouble } from './parts';
import { Refused, type Problem } from './api';
import { go, listen_to_links, path } from './router';
import { Agents } from './pages/agents';
import { Audit } from './pages/audit';
import { Doctor } from './pages/doctor';
import { Findings } from './pages/findings';
import { Health } from './pages/health';
import { LiveMap } from './pages/map';
import { Policy } from './pages/policy';
import { ProposalPage } from './pages/proposal';
import { Queue } from './pages/queue';

interface Place { at: string; says: string; key: string; roles?: string[] }
const places: Place[] = [
  { at: '/', says: 'Queue', key: 'q' },
  { at: '/map', says: 'Live map', key: 'm', roles: ['reviewer', 'promoter', 'admin'] },
  { at: '/health', says: 'Health', key: 'h' },
  { at: '/findings', says: 'Findings', key: 'f' },
  { at: '/agents', says: 'Agents', key: 'n' },
  { at: '/audit', says: 'Audit', key: 'a', roles: ['reviewer', 'promoter', 'admin'] },
  { at: '/policy', says: 'Policy', key: 'p' },
  { at: '/doctor', says: 'Doctor', key: 'd' },
];

const looks = ['system', 'light', 'dark'] as const;
function wear(look: string): void {
  if (look === 'system') delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = look;
  localStorage.setItem('look', look);
}

function Login() {
  const [token, set] = useState('');
  const [problem, tell] = useState<Problem>();
  const [busy, work] = useState(false);
  return (
    <main class="login" id="main">
      <h1>Gatehouse</h1>
      <p>May an agent's change enter the repository? Log in to decide.</p>
      <form onSubmit={(event) => {
        event.preventDefault();
        work(true);
        log_in({ token: token.trim() }).catch((error: unknown) => tell((error as Refused).problem)).finally(() => work(false));
      }}>
        <label for="token">Token</label>
        <input id="token" type="password" autocomplete="off" spellcheck={false} value={token} placeholder="gh8_…"
          onInput={(event) => set(event.currentTarget.value)} />
        <button class="main" type="submit" disabled={busy || token.trim() === ''}>Log in</button>
      </form>
      {problem && <Trouble problem={problem} />}
      <p class="hint">On this machine: <code>gatehouse serve --open</code> prints an address that logs you in, once and within a minute.</p>
    </main>
  );
}

function Keys({ close }: { close: () => void }) {
  const at = useRef<HTMLDialogElement>(null);
  useEffect(() => at.current?.showModal(), []);
  return (
    <dialog ref={at} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">{all_keys().map((key) => <div><dt><kbd>{key.keys}</kbd></dt><dd>{key.says}</dd></div>)}</dl>
      <label class="check"><input type="checkbox" checked={are_on.value} onChange={(event) => switch_keys(event.currentTarget.checked)} /> Keys of one letter are on</label>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
}

function page_at(at: string) {
  const proposal = /^\/p\/(.+)$/.exec(at)?.[1];
  if (proposal) return <ProposalPage key={at} id={decodeURIComponent(proposal)} />;
  switch (at) {
    case '/map': return <LiveMap />;
    case '/health': return <Health />;
    case '/findings': return <Findings />;
    case '/agents': return <Agents />;
    case '/audit': return <Audit />;
    case '/policy': return <Policy />;
    case '/doctor': return <Doctor />;
    default: return <Queue />;
  }
}

function Page() {
  const [shows_keys, show_keys] = useState(false);
  const [look, set_look] = useState(localStorage.getItem('look') ?? 'system');
  const seen = places.filter((place) => !place.roles || has(...place.roles));
  useKeys([
    ...places.map((place) => ({ keys: `g ${place.key}`, says: `go to ${place.says}`, run: () => go(place.at) })),
    { keys: '?', says: 'this list', run: () => show_keys(true) },
  ], []);
  if (session.value === undefined) return <p class="waiting" aria-busy="true">Loading…</p>;
  if (session.value === null) return <Login />;
  const here = path.value;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>To the content</a>
      <header class="top">
        <a class="brand" href="/">Gatehouse</a>
        <nav aria-label="Pages">
          {seen.map((place) => <a href={place.at} aria-current={here === place.at || (place.at === '/' && here.startsWith('/p/')) ? 'page' : undefined}>{place.says}</a>)}
        </nav>
        <div class="who">
          {repos.value.length > 1
            ? <select aria-label="Repository" value={repo.value} onChange={(event) => choose_repo(event.currentTarget.value)}>{repos.value.map((name) => <option>{name}</option>)}</select>
            : <span class="repo">{repo.value}</span>}
          <span class={`live ${live.value ? 'on' : ''}`} role="status" title={live.value ? 'Changes show by themselves' : 'Not connected'}>{live.value ? 'live' : 'offline'}</span>
          <select aria-label="Colours" value={look} onChange={(event) => { wear(event.currentTarget.value); set_look(event.currentTarget.value); }}>
            {looks.map((each) => <option value={each}>{each}</option>)}
          </select>
          <button onClick={() => show_keys(true)} aria-label="Keys">?</button>
          <button onClick={() => void log_out()} title={session.value.actor.roles.join(', ')}>Log out {session.value.actor.name}</button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>{page_at(here)}</main>
      <footer>Gatehouse {version.value}</footer>
      {shows_keys && <Keys close={() => show_keys(false)} />}
    </>
  );
}

wear(localStorage.getItem('look') ?? 'system');
listen_to_links();
listen_to_keys();
void begin();
window.addEventListener('hashchange', () => { if (location.hash.startsWith('#login=')) void begin(); });
const at = document.getElementById('page');
if (at) render(<Page />, at);
