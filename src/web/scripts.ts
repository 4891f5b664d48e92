import { digestTag } from '../platform/http/etag.js';
import { webTexts } from './texts.js';
import { clientFiles } from './client-files.js';
import { html } from './html.js';

/** The scripts of the pages by file name. They import each other by relative addresses. */
export const SCRIPTS = clientFiles();

/** Their folder changes with the content of any of them, so browsers keep them. */
export const SCRIPT_FOLDER = digestTag(JSON.stringify([...SCRIPTS])).slice(0, 16);

const TEXTS = JSON.stringify(webTexts.client);

const addressOf = (name: string) => `/explorer/${SCRIPT_FOLDER}/${name}`;

/** Loads the scripts after the page has been read, all at once, with the texts that they show. */
export const SCRIPT_ELEMENTS = html`${[...SCRIPTS.keys()].map(
    (name) => html`<link rel="modulepreload" href="${addressOf(name)}" /> `,
  )}
  <script type="module" src="${addressOf('main.js')}" data-texts="${TEXTS}"></script>`;
