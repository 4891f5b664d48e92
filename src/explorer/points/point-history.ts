import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import type { RuleName } from '../../quality/rules/rule-table.js';
import type { Finding } from '../../quality/finding.dto.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { exact } from '../../web/numbers.js';
import { longColumn, numberColumn, table, textColumn } from '../../web/table.js';
import { withoutCalls } from '../layout/finding-words.js';
import { texts } from '../texts.js';
import { givenNumber } from './point-calculation.js';
import type { PointView } from './point-view.js';

const words = texts.points;

/** A time as tables have it: to the minute, UTC. */
const timeOf = (instant: string): Html =>
  html`<time class="nowrap" datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')}</time>`;

/** What rules have found about a price, each explained. */
export function pointFindings({ versions }: PointView, findings: readonly Finding[]): Html {
  const heading = html`<h2>${words.findings}</h2>`;
  if (findings.length === 0)
    return html`${heading}
      <p>${versions === null ? words.noRules : words.noFindings}</p>`;
  return html`${heading}
    <p>${texts.findingsNote}</p>
    <ul class="plain">
      ${findings.map(
        ({ rule, detail, state, reason }) =>
          html`<li>
            ${words.rules[rule as RuleName]} ${nameOf(withoutCalls(detail))}
            <span class="muted"
              >${rule},
              ${words.states[state]}${reason !== '' && html` ${nameOf(words.because(reason))}`}</span
            >
          </li>`,
      )}
    </ul>`;
}

/** What maintainers have corrected of a price, in words; null without corrections. */
export function pointCorrections({ corrections, changeSets }: PointView): Html | null {
  if (corrections.length === 0) return null;
  return html`<h2>${words.corrections}</h2>
    <ul class="plain">
      ${corrections.map((each) => {
        const made = changeSets.get(each.change_set_id);
        return html`<li>
          ${made !== undefined && timeOf(made.started_at)} ${correctionText(each)}
          ${each.reason === '' ? words.noReason : nameOf(words.because(each.reason))}
          ${words.correctionStates[each.state]}
        </li>`;
      })}
    </ul>`;
}

function correctionText({ base, value }: CorrectionRecord): string {
  const { changed, added, removed, nothing } = words.correction;
  if (value === null) return base === null ? nothing : removed(givenNumber(base));
  return base === null ? added(givenNumber(value)) : changed(givenNumber(base), givenNumber(value));
}

/** What was known of a price, since when and by what operation. */
export function pointVersions({ versions, changeSets }: PointView): Html {
  const heading = html`<h2>${words.versions}</h2>`;
  if (versions === null)
    return html`${heading}
      <p>${words.noVersions}</p>`;
  const rows = versions.map(({ price_value, comment, known_from, known_to, change_set_id, kind }) => {
    const made = changeSets.get(change_set_id);
    const why = [made?.input ?? '', made?.reason ?? ''].filter((text) => text !== '').join(' – ');
    return [
      timeOf(known_from),
      known_to === null ? words.stillKnown : timeOf(known_to),
      price_value === null ? words.absent : exact(price_value, givenNumber),
      html`${words.operations[kind as keyof typeof words.operations]}${why !== '' && html`: ${nameOf(why)}`}`,
      nameOf(comment ?? ''),
    ];
  });
  const columns = [
    textColumn(words.knownFrom),
    textColumn(words.knownTo),
    numberColumn(words.price),
    longColumn(words.operation),
    textColumn(words.comment),
  ];
  return html`${heading} ${table(words.versionsNote, columns, rows)}`;
}
