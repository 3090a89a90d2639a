// The HTTP interface as the page uses it: one session, one way to ask, one stream of events.
import { signal } from '@preact/signals';

export interface Actor { name: string; kind: string; via: string; roles: string[] }
export interface Session { actor: Actor; csrf: string | null }
export interface Problem {
  status: number; title: string; code: string; detail: string; next?: string;
  verdict?: Verdict; document?: { reasons?: { code: string; message: string; next?: string }[] };
}
export interface Reason {
  id: string; gate: string; severity: 'error' | 'warning' | 'note'; message: string;
  path: string | null; line: number | null; next: { kind: string; command: string | null; why: string | null };
}
export interface Part { gate: string; state: string; decision: string | null; status: string | null; why: string | null }
export interface Verdict { decision: string; headline: string; parts: Part[]; reasons: Reason[] }

export class Refused extends Error {
  constructor(readonly problem: Problem) { super(problem.detail); }
}

/** undefined: not asked yet; null: nobody is logged in. */
export const session = signal<Session | null | undefined>(undefined);
export const repos = signal<string[]>([]);
export const repo = signal('');
export const version = signal('');

export interface Answer<T> { data: T; etag: string }
interface Wish { body?: unknown; etag?: string; query?: Record<string, string | number | undefined> }

const base = '/api/v1';

function address(path: string, query: Wish['query'] = {}): string {
  const of_repo = path.startsWith('/repos/') || path.startsWith('/session') || path.startsWith('/rules/') && repos.value.length < 2;
  const words = new URLSearchParams();
  if (!of_repo && repos.value.length > 1 && path !== '/status') words.set('repo', repo.value);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') words.set(name, String(value));
  const text = words.toString();
  return base + path + (text ? `?${text}` : '');
}

export async function ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, wish: Wish = {}): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (wish.body !== undefined) headers['Content-Type'] = 'application/json';
  if (wish.etag) headers['If-Match'] = wish.etag;
  if (method !== 'GET' && session.value?.csrf) headers['X-Gatehouse-CSRF'] = session.value.csrf;
  let response: Response;
  try {
    response = await fetch(address(path, wish.query), {
      method, headers, credentials: 'same-origin',
      ...(wish.body !== undefined ? { body: JSON.stringify(wish.body) } : {}),
    });
  } catch {
    throw new Refused({ status: 0, title: 'No answer', code: 'no_answer', detail: 'The server does not answer.', next: 'Is it still running?' });
  }
  if (response.status === 204) return { data: undefined as T, etag: '' };
  const data = await response.json().catch(() => null);
  if (!response.ok) {
    if (response.status === 401 && path !== '/session') session.value = null;
    throw new Refused(data ?? { status: response.status, title: response.statusText, code: 'unreadable', detail: 'The answer cannot be read.' });
  }
  return { data, etag: response.headers.get('ETag') ?? '' };
}

export const get = <T>(path: string, query?: Wish['query']) => ask<T>('GET', path, { query });

export const has = (...roles: string[]) => roles.some((role) => session.value?.actor.roles.includes(role));

async function look_around(): Promise<void> {
  const status = await get<{ repos: { name: string }[]; tool: { version: string } }>('/status');
  repos.value = status.data.repos.map((each) => each.name);
  version.value = status.data.tool.version;
  const kept = localStorage.getItem('repo');
  repo.value = kept && repos.value.includes(kept) ? kept : (repos.value[0] ?? '');
}

/** Pages are shown once it is known what is served, and to whom. */
async function enter(found: Session): Promise<void> {
  await look_around();
  session.value = found;
  start_listening();
}

export async function log_in(by: { nonce?: string; token?: string }): Promise<void> {
  await enter((await ask<Session>('POST', '/session', { body: by })).data);
}

export async function log_out(): Promise<void> {
  await ask('DELETE', '/session').catch(() => undefined);
  stop_listening?.abort();
  session.value = null;
}

/** A nonce stands in the fragment, which is sent to nobody, and is taken out of the address at once. */
export async function begin(): Promise<void> {
  const nonce = /^#login=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (nonce) {
    history.replaceState(null, '', location.pathname + location.search);
    await log_in({ nonce }).catch(() => { session.value = null; });
    return;
  }
  try {
    await enter((await ask<Session>('GET', '/session')).data);
  } catch {
    session.value = null;
  }
}

// --- events

type Listener = (name: string) => void;
const listeners = new Set<Listener>();
let stop_listening: AbortController | undefined;
export const live = signal(false);

/** Calls back when something of these topics changed; the result takes that back. */
export function on_change(topics: string[], then: () => void): () => void {
  let timer: number | undefined;
  const listener: Listener = (name) => {
    if (name !== 'reset' && !topics.includes(name.split('.')[0] ?? '')) return;
    clearTimeout(timer);
    timer = window.setTimeout(then, 150);
  };
  listeners.add(listener);
  return () => {
    clearTimeout(timer);
    listeners.delete(listener);
  };
}

async function read_events(signal: AbortSignal, last: { id: string }): Promise<void> {
  const topics = has('reviewer', 'promoter', 'admin') ? 'intents,proposals,runs,releases,audit' : 'intents,proposals,runs,releases';
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (last.id) headers['Last-Event-ID'] = last.id;
  const words = new URLSearchParams({ topics, ...(repos.value.length > 1 ? { repo: repo.value } : {}) });
  const response = await fetch(`${base}/events?${words}`, { headers, signal, credentials: 'same-origin' });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  live.value = true;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
      const frame = held.slice(0, end);
      held = held.slice(end + 2);
      const field = (name: string) => frame.split('\n').find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      last.id = field('id') ?? last.id;
      const name = field('event');
      if (name) for (const listener of listeners) listener(name);
    }
  }
}

function start_listening(): void {
  stop_listening?.abort();
  const control = new AbortController();
  stop_listening = control;
  const last = { id: '' };
  void (async () => {
    for (let wait = 500; !control.signal.aborted; wait = Math.min(wait * 2, 15_000)) {
      const began = Date.now();
      await read_events(control.signal, last).catch(() => undefined);
      live.value = false;
      if (Date.now() - began > 30_000) wait = 500;
      if (session.value === null) return;
      await new Promise((then) => setTimeout(then, wait));
    }
  })();
}

export function choose_repo(name: string): void {
  repo.value = name;
  localStorage.setItem('repo', name);
  start_listening();
}
