import { texts } from '../texts.js';
import { html, type Html } from '../../web/html.js';

/**
 * Calls that fetch the data of a page, for a shell, Python and R; they need nothing that these do
 * not bring. Addresses have no quotes in them: parameters are percent-encoded.
 * @param links addresses on this server; Python and R get the table of the first
 */
export function apiCalls(
  origin: string,
  links: readonly { address(this: void, format?: 'csv'): string }[],
): Html {
  const [first] = links;
  if (first === undefined) return html``;
  const table = origin + first.address('csv');
  const calls = [
    ['curl', links.map(({ address }) => `curl '${origin}${address()}'`).join('\n')],
    ['Python', pythonCall(table)],
    ['R', `rows <- read.csv("${table}")\nprint(head(rows))`],
  ] as const;
  return html`<div class="api">
    <p>${texts.asCall}</p>
    ${calls.map(
      ([name, code], index) =>
        html`<details ${index === 0 ? OPEN : null}>
          <summary>${name}</summary>
          <pre><code>${code}</code></pre>
        </details>`,
    )}
  </div>`;
}

const OPEN = html`open`;

const pythonCall = (address: string) => `import csv, io, urllib.request

with urllib.request.urlopen("${address}") as reply:
    rows = list(csv.DictReader(io.TextIOWrapper(reply, "utf-8-sig")))
for row in rows[:5]:
    print(row)`;
