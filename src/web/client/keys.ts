/**
 * Keys that lead somewhere: the first element with `data-key` of a key is opened where it is a
 * link, and gets the focus where it is a field. Not while somebody types.
 */
export function addKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing || (target as Element).matches('input, select, textarea'))
      return;
    const found = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (found === null) return;
    event.preventDefault();
    if (found instanceof HTMLInputElement) found.select();
    found.focus();
    if (found instanceof HTMLAnchorElement) found.click();
  });
}
