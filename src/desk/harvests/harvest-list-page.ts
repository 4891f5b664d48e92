import { html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { longColumn, table, textColumn } from '../../web/table.js';
import type { ExpectedFile } from '../../harvests/alarms/expected-file.js';
import type { HarvestRecord } from '../../harvests/records/harvest.dto.js';
import type { HarvestRunRecord } from '../../harvests/runs/harvest-run.dto.js';
import type { RunStates } from '../../harvests/runs/harvest-runs.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { harvestAddress, type HarvestOutcome, HARVESTS } from './harvest-address.js';
import { endText, expectedText, nextText, runButton, scheduleText } from './harvest-words.js';

/** What the list of harvests shows. */
interface HarvestListView {
  readonly harvests: readonly HarvestRecord[];
  /** By their ids. */
  readonly states: ReadonlyMap<number, RunStates>;
  /** When the next values of each are expected, by their ids. */
  readonly expected: ReadonlyMap<number, ExpectedFile>;
  readonly done: HarvestOutcome | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The list of all harvests. */
export function harvestListPage(
  { harvests, states, expected, done, now }: HarvestListView,
  session: DeskSession,
): DeskView {
  // What needs attention comes first: on telephones the others are out of sight.
  const { name, state, last, next, scheduleOf, source, run } = texts;
  const columns = [
    ...[name, state].map(textColumn),
    longColumn(last),
    ...[next, texts.expected, scheduleOf, source, run].map(textColumn),
  ];
  const rows = harvests.map((harvest) => {
    const runs = states.get(harvest.id);
    return [
      html`<a class="nowrap" href="${harvestAddress(harvest.id)}">${harvest.name}</a>`,
      html`${harvest.enabled ? texts.on : texts.off}${runs?.held ? html`, <strong>${texts.held}</strong>` : null}`,
      lastText(runs?.last ?? null),
      nextText(harvest, runs?.waiting ?? null, now),
      expectedText(expected.get(harvest.id), now) ?? '–',
      scheduleText(harvest),
      nameOf(harvest.source),
      runButton(harvest, session),
    ];
  });
  return {
    title: texts.title,
    section: HARVESTS,
    main: html`<h1>${texts.title}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      <p>${texts.how}</p>
      ${
        harvests.length === 0
          ? html`<p>${texts.none} <a href="${texts.guideAddress}">${texts.guide}</a>.</p>`
          : table(texts.note(wholeNumber(harvests.length)), columns, rows)
      }
      <p><a class="button" href="${HARVESTS}/new">${texts.addNew}</a></p>`,
  };
}

const lastText = (run: HarvestRunRecord | null) =>
  run === null
    ? texts.never
    : html`${instantOf(run.started_at ?? run.due_at)}<br />
        ${endText(run, run.state === 'held')}`;
