import type { ClientTexts } from './client-texts.js';

/** Texts that scripts show, as the server has written them into the page. */
export const scriptTexts = JSON.parse(
  document.querySelector<HTMLScriptElement>('script[data-texts]')!.dataset.texts!,
) as ClientTexts;
