// Keys of the page (interfaces 6.5). They never fire in a field, or together with Ctrl, Alt or Meta.
import { useEffect } from 'preact/hooks';
import { signal } from '@preact/signals';

export interface Key { keys: string; says: string; run: () => void }

const active: Key[][] = [];
export const are_on = signal(localStorage.getItem('keys') !== 'off');
let begun = '';
let timer: number | undefined;

export const all_keys = () => active.flat();

export function switch_keys(on: boolean): void {
  are_on.value = on;
  localStorage.setItem('keys', on ? 'on' : 'off');
}

export function useKeys(keys: Key[], depends: unknown[]): void {
  useEffect(() => {
    active.push(keys);
    return () => { active.splice(active.indexOf(keys), 1); };
  }, depends);
}

export function listen_to_keys(): void {
  document.addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement | null;
    if (!are_on.value || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (at?.closest('input, textarea, select, [contenteditable]') || document.querySelector('dialog[open]')) return;
    const word = begun ? `${begun} ${event.key}` : event.key;
    begun = '';
    clearTimeout(timer);
    const known = all_keys();
    const found = known.findLast((key) => key.keys === word);
    if (found) {
      if (event.key === 'Enter' && at?.closest('a, button, summary')) return;
      event.preventDefault();
      found.run();
    } else if (known.some((key) => key.keys.startsWith(`${word} `))) {
      begun = word;
      timer = window.setTimeout(() => { begun = ''; }, 1500);
    }
  });
}
