// Addresses within the page: the history of the browser, as a signal.
import { signal } from '@preact/signals';

export const path = signal(location.pathname);

const shown = () => {
  path.value = location.pathname;
};

export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, '', to);
  shown();
  window.scrollTo(0, 0);
}

export function listen_to_links(): void {
  window.addEventListener('popstate', shown);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest('a');
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hash || link.hasAttribute('download')) return;
    event.preventDefault();
    go(link.pathname);
  });
}
