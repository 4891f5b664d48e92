import { scriptTexts } from './texts.js';

/** Milliseconds after a date has been changed: who types one changes it with each digit. */
const DATE_PAUSE = 700;
const FIRST_DATE = '1900-01-01';

/**
 * Changes what a page shows without loading all of it: forms whose page is the one that is open,
 * headings that order its table, and filters that are removed. The address and the history are
 * those of ordinary links; a failure opens the address as a link would.
 * @param attach adds the other scripts to new content
 */
export function addNavigation(attach: (content: HTMLElement) => void): void {
  const status = document.querySelector<HTMLElement>('#status')!;
  let shown = location.pathname + location.search;
  let request = new AbortController();

  const load = async (address: string): Promise<boolean> => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const main = document.querySelector('main')!;
    main.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(address, { headers: { Accept: 'text/html' }, signal });
      const text = await response.text();
      const page = new DOMParser().parseFromString(text, 'text/html');
      const content = page.querySelector('main');
      if (!response.ok || content === null) throw new Error(response.statusText);
      const focus = focusIn(main);
      document.title = page.title;
      const canonical = page.querySelector('link[rel=canonical]');
      if (canonical !== null) document.querySelector('link[rel=canonical]')?.replaceWith(canonical);
      // Links of the navigation are those of the state that is shown.
      const header = page.querySelector('header nav');
      if (header !== null) document.querySelector('header nav')?.replaceWith(header);
      main.replaceWith(content);
      attach(content);
      focus(content);
      shown = address;
      status.textContent = scriptTexts.shown.replace('{title}', page.title);
      return true;
    } catch {
      if (!signal.aborted) location.assign(address);
      return false;
    }
  };
  const open = async (address: string) => {
    if (await load(address)) history.pushState(null, '', address);
  };

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!isOfPage(form) || event.defaultPrevented) return;
    event.preventDefault();
    void open(addressOf(form, event.submitter));
  });
  let timer = 0;
  document.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement | HTMLSelectElement;
    const { form } = input;
    if (form === null || !isOfPage(form)) return;
    if (input.matches('select, input[type=range]')) void open(addressOf(form));
    else if (input.matches('input[type=date]')) {
      // While a year is typed, its first digits are years, too.
      clearTimeout(timer);
      if (input.value === '' || input.value >= FIRST_DATE)
        timer = window.setTimeout(() => void open(addressOf(form)), DATE_PAUSE);
    }
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('main :is(thead, .chips) a');
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || link.origin !== location.origin || link.pathname !== location.pathname)
      return;
    event.preventDefault();
    void open(link.pathname + link.search);
  });
  addEventListener('popstate', () => {
    const address = location.pathname + location.search;
    if (address !== shown) void load(address);
  });
}

/** Whether a form of the content asks for another state of the page that is open. */
const isOfPage = (form: HTMLFormElement) =>
  form.method === 'get' &&
  form.closest('main') !== null &&
  new URL(form.action).pathname === location.pathname;

/** The address that a form asks for, without what is empty. */
function addressOf(form: HTMLFormElement, submitter: HTMLElement | null = null): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string' && value !== '') query.append(name, value);
  const { pathname } = new URL(form.action);
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}

/** Remembers what has the focus; the result finds the same in new content. */
function focusIn(main: HTMLElement): (content: HTMLElement) => void {
  const { activeElement } = document;
  if (activeElement === null || !main.contains(activeElement)) return () => undefined;
  const name = activeElement.getAttribute('name');
  const selector =
    name === null ? activeElement.localName : `${activeElement.localName}[name="${CSS.escape(name)}"]`;
  const index = [...main.querySelectorAll(selector)].indexOf(activeElement);
  return (content) => {
    const found = content.querySelectorAll<HTMLElement>(selector);
    (found[index] ?? found[0])?.focus({ preventScroll: true });
  };
}
