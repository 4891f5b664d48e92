import { element } from './dom.js';
import { scriptTexts } from './texts.js';

/** Milliseconds for which a button says that it has copied. */
const THANKS = 2000;

/** Puts a button beside a text that others take away: calls, code to embed, citations. */
export function addCopyButton(source: HTMLElement): void {
  // Browsers have no clipboard for pages that came over plain HTTP from elsewhere.
  if (!('clipboard' in navigator)) return;
  const button = element('button', { type: 'button', class: 'copy' }, scriptTexts.copy);
  const status = element('span', { role: 'status', class: 'visually-hidden' });
  button.addEventListener('click', () => {
    const text = source instanceof HTMLTextAreaElement ? source.value : source.textContent;
    void navigator.clipboard.writeText(text.trim()).then(
      () => say(scriptTexts.copied),
      () => say(scriptTexts.notCopied),
    );
  });
  const say = (text: string) => {
    button.textContent = status.textContent = text;
    setTimeout(() => {
      button.textContent = scriptTexts.copy;
      status.textContent = '';
    }, THANKS);
  };
  const box = element('div', { class: 'copied' });
  source.replaceWith(box);
  box.append(source, button, status);
}
