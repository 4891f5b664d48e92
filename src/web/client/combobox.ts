import { element } from './dom.js';
import { type Suggestion, suggestionsFor } from './suggestions.js';
import { scriptTexts } from './texts.js';

/** Milliseconds without a key before the server is asked. */
const PAUSE = 120;
const MIN_LENGTH = 2;

let boxes = 0;

/**
 * Makes a search field a combobox with a list of suggestions, by the pattern of the ARIA Authoring
 * Practices: the focus stays in the field, Arrow Down and Up choose, Enter opens the choice or,
 * where there is none, sends the form as before, Escape closes the list.
 */
export function addCombobox(input: HTMLInputElement): void {
  const id = `suggestions-${++boxes}`;
  const list = element('ul', {
    id,
    role: 'listbox',
    class: 'suggestions',
    'aria-label': scriptTexts.suggestionList,
  });
  const status = element('span', { role: 'status', class: 'visually-hidden' });
  list.hidden = true;
  input.closest('label')!.after(list, status);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': id,
  }))
    input.setAttribute(name, value);

  /** Opens the page of a suggestion, in the state of the data that this page shows. */
  const open = ({ address }: Suggestion) => {
    const asOf = input.form!.querySelector<HTMLInputElement>('[name=as_of]')?.value;
    const url = new URL(address, location.href);
    if (asOf !== undefined) url.searchParams.set('as_of', asOf);
    location.assign(url);
  };
  let shown: Suggestion[] = [];
  let active = -1;
  let request = new AbortController();
  let timer = 0;

  const options = () => [...list.querySelectorAll('[role=option]')];
  const activate = (index: number) => {
    options()[active]?.setAttribute('aria-selected', 'false');
    active = index;
    const option = options()[active];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  };
  const show = (suggestions: Suggestion[]) => {
    shown = suggestions;
    activate(-1);
    list.replaceChildren(...optionElements(suggestions, id));
    list.hidden = suggestions.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const close = () => {
    clearTimeout(timer);
    request.abort();
    show([]);
    status.textContent = '';
  };
  const ask = async (text: string) => {
    request = new AbortController();
    const { signal } = request;
    // Without a reply there is the form, which says what is wrong.
    const suggestions = await suggestionsFor(text, signal).catch(() => []);
    if (signal.aborted) return;
    show(suggestions);
    const { length } = suggestions;
    status.textContent =
      length === 0 ? scriptTexts.noSuggestions : scriptTexts.suggestions.replace('{n}', String(length));
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    request.abort();
    const text = input.value.trim();
    if (text.length < MIN_LENGTH) return close();
    timer = window.setTimeout(() => void ask(text), PAUSE);
  });
  input.addEventListener('keydown', (event) => {
    const { length } = shown;
    if (event.isComposing || length === 0) return;
    if (event.key === 'ArrowDown') activate(active + 1 < length ? active + 1 : -1);
    else if (event.key === 'ArrowUp') activate(active < 0 ? length - 1 : active - 1);
    else if (event.key === 'Enter' && active >= 0) open(shown[active]!);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  // The field keeps the focus, and the list is still there when the button is released.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const index = options().indexOf((target as Element).closest('[role=option]')!);
    if (index >= 0) open(shown[index]!);
  });
}

/** Options under a heading for each kind. */
function optionElements(suggestions: readonly Suggestion[], id: string): HTMLElement[] {
  const groups = new Map<string, HTMLElement>();
  for (const [index, { group, name, detail }] of suggestions.entries()) {
    const heading = `${id}-${groups.size}`;
    let items = groups.get(group);
    if (items === undefined) {
      const label = element('li', { role: 'presentation', class: 'muted', id: heading }, group);
      items = element('ul', { role: 'group', 'aria-labelledby': heading }, label);
      groups.set(group, items);
    }
    const option = element('li', { role: 'option', id: `${id}-option-${index}`, 'aria-selected': 'false' });
    option.append(element('bdi', {}, name), ' ', element('bdi', { class: 'muted' }, detail));
    items.append(option);
  }
  return [...groups.values()].map((items) => element('li', { role: 'presentation' }, items));
}
