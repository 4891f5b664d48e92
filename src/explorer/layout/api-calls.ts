import { texts } from '../texts.js';
import type { DataLink } from './data-section.js';
import { html, type Html } from '../../web/html.js';

/**
 * Calls that fetch the data of a page, for a shell, and one line each that reads them into pandas,
 * R and Excel. Addresses have no quotes in them: parameters are percent-encoded. No text is taken
 * for a missing value: regions and codes may be called NA. Codes keep their zeros.
 * @param links addresses on this server; the lines read the table of the first
 */
export function apiCalls(origin: string, links: readonly Pick<DataLink, 'address' | 'codes'>[]): Html {
  const [first] = links;
  if (first === undefined) return html``;
  const table = origin + first.address('csv');
  const codes = first.codes ?? [];
  const [dtype, colClasses] = [
    codes.map((name) => `"${name}": str`).join(', '),
    codes.map((name) => `${name} = "character"`).join(', '),
  ];
  const calls = [
    ['curl', links.map(({ address }) => `curl '${origin}${address()}'`).join('\n')],
    [
      'Python',
      `import pandas\n\nrows = pandas.read_csv("${table}", keep_default_na=False, na_values=""${dtype && `, dtype={${dtype}}`})`,
    ],
    ['R', `rows <- read.csv("${table}", na.strings = ""${colClasses && `, colClasses = c(${colClasses})`})`],
    ['Excel', `= Csv.Document(Web.Contents("${table}"), [Encoding = 65001])`],
  ] as const;
  return html`<div class="api">
    <p>${texts.asCall}</p>
    ${calls.map(
      ([name, code], index) =>
        html`<details ${index === 0 ? OPEN : null}>
          <summary>${name}</summary>
          ${name === 'Excel' ? html`<p>${texts.excelHow}</p>` : null}
          <pre><code>${code}</code></pre>
        </details>`,
    )}
  </div>`;
}

const OPEN = html`open`;
