import { descriptionList } from '../../web/description-list.js';
import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, wholeNumber } from '../../web/numbers.js';
import { longColumn, numberColumn, table, textColumn } from '../../web/table.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { ExpectedFile } from '../../harvests/alarms/expected-file.js';
import { HARVEST_LIMITS } from '../../harvests/held/held-run.dto.js';
import type { HarvestRecord } from '../../harvests/records/harvest.dto.js';
import type { HarvestRunRecord } from '../../harvests/runs/harvest-run.dto.js';
import type { RunStates } from '../../harvests/runs/harvest-runs.js';
import { importFormats } from '../../import/formats/index.js';
import { CHANGE_SETS } from '../change-sets/change-set-list-page.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { mappingAddress } from '../mappings/mapping-address.js';
import type { DeskSession } from '../session/desk-session.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { megabytes } from '../texts/upload.js';
import { harvestAddress, HARVESTS, type HarvestOutcome } from './harvest-address.js';
import {
  durationText,
  endText,
  expectedText,
  nextText,
  runButton,
  scheduleText,
  turnButton,
} from './harvest-words.js';
import { heldSection, type HeldView, type SentHarvestForm } from './held-section.js';

/** What the page of a harvest shows. */
interface HarvestView {
  readonly harvest: HarvestRecord;
  /** Of what is stored. */
  readonly tag: string;
  /** The newest ones, newest first. */
  readonly runs: readonly HarvestRunRecord[];
  readonly waiting: RunStates['waiting'];
  /** When its next values are expected; undefined where that is not known. */
  readonly expected: ExpectedFile | undefined;
  /** The run that is held; null for none. */
  readonly held: HeldView | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Null where nothing was sent. */
  readonly sent: SentHarvestForm | null;
  readonly done: HarvestOutcome | undefined;
}

/** Whether something is about to happen, so that the page is worth another look. */
export const isBusy = ({ runs, now }: Pick<HarvestView, 'runs' | 'now'>): boolean =>
  runs.some(
    ({ state, not_before: from }) =>
      state === 'running' || ((state === 'waiting' || state === 'approved') && Date.parse(from) <= now),
  );

/** The page of a harvest: its settings, what is held, and its runs. */
export function harvestPage(view: HarvestView, session: DeskSession): DeskView {
  const { harvest, runs, held, sent, done } = view;
  // Those of the forms of a held run stand beside them.
  const error = sent?.run === undefined || held?.run.id !== sent.run ? (sent?.error ?? null) : null;
  return {
    title: `${texts.title}: ${harvest.name}`,
    section: HARVESTS,
    main: html`<p class="path"><a href="${HARVESTS}">${texts.title}</a></p>
      <h1>${harvest.name}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      ${formErrors(error, sent?.kind === 'remove' ? ['reason'] : [])}
      ${held === null ? null : heldSection(harvest.id, held, sent, session)}
      <section>
        <h2>${texts.settings}</h2>
        ${settings(view)}
        <div class="buttons">
          ${runButton(harvest, session)} ${turnButton(harvest, session)}
          <a href="${harvestAddress(harvest.id)}/edit">${texts.edit}</a>
        </div>
      </section>
      <section>
        <h2>${texts.runs}</h2>
        ${runs.length === 0 ? html`<p>${texts.noRuns}</p>` : runsTable(view)}
      </section>
      ${removal(view, session)}`,
  };
}

/** The form that removes a harvest. */
function removal({ harvest, tag, sent }: HarvestView, session: DeskSession): Html {
  const form = sent?.kind === 'remove' ? sent.form : null;
  const reason = { label: texts.removeReason, name: 'reason', value: form?.get('reason') ?? '' };
  const fields = html`${hidden('version', form?.get('version') ?? tag)}
  ${inputField(reason, form === null ? [] : (sent?.error.errors ?? []))}`;
  return html`<section id="remove">
    <h2>${texts.remove}</h2>
    <p>${texts.removeHow}</p>
    ${deskForm({ action: `${harvestAddress(harvest.id)}/remove`, fields, submit: texts.remove }, session)}
  </section>`;
}

function settings({ harvest, waiting, expected, now }: HarvestView): Html {
  const { source, address, header, has_secret: hasSecret, format, owner, enabled } = harvest;
  const { expected_interval: interval, expected_lag: lag } = harvest;
  const options = Object.entries(harvest.options).map(([name, value]) => `${name} = ${String(value)}`);
  const isMapping = !Object.hasOwn(importFormats, format);
  return descriptionList([
    [texts.source, source && nameOf(source)],
    [texts.address, html`<code>${address}</code>`],
    [texts.header, header && html`<code>${header}</code>`],
    [texts.secret, hasSecret ? texts.secretStored : null],
    [texts.format, isMapping ? html`<a href="${mappingAddress(format)}">${format}</a>` : format],
    [texts.options, options.length === 0 ? null : nameOf(options.join(', '))],
    [texts.scheduleOf, html`${scheduleText(harvest)} <code>${harvest.schedule}</code>`],
    [texts.next, nextText(harvest, waiting, now)],
    [texts.state, enabled ? texts.on : texts.off],
    [texts.expected, expected && expectedDetails(expected, interval === '', now)],
    [texts.interval, interval && texts.intervalText(durationText(interval), lag && durationText(lag))],
    [
      texts.limits,
      HARVEST_LIMITS.map((limit, index) => [
        index === 0 ? '' : html`<br />`,
        `${harvest[limit]} % ${texts.limit[limit]}`,
      ]),
    ],
    [texts.owner, owner && nameOf(owner)],
  ]);
}

/** @param isByReleases whether it is by the earlier releases of the source, which are on a page */
function expectedDetails(expected: ExpectedFile, isByReleases: boolean, now: number): Html {
  return html`${expectedText(expected, now)}.
    <span class="muted">${texts.lateAfter} ${dateOf(isoFromDay(expected.until))}.</span>
    ${isByReleases ? html`<a href="/releases">${texts.releases}</a>` : null}`;
}

function runsTable({ runs, held, now }: HarvestView): Html {
  const columns = [
    textColumn(texts.began),
    longColumn(texts.ended),
    ...[texts.read, texts.new, texts.changed, texts.rejected].map(numberColumn),
    textColumn(texts.changeSet),
    numberColumn(texts.size),
    textColumn(texts.endedAt),
  ];
  const rows = runs.map((run) => {
    const { counts, change_set_id: changeSet } = run;
    const count = (name: 'read' | 'new' | 'changed' | 'rejected') =>
      counts === null ? '' : wholeNumber(counts[name]);
    return [
      beginText(run, now),
      endText(run, run.id === held?.run.id),
      ...(['read', 'new', 'changed', 'rejected'] as const).map(count),
      changeSet && html`<a href="${CHANGE_SETS}/${changeSet}">${changeSet}</a>`,
      run.bytes && megabytes(run.bytes),
      run.ended_at && instantOf(run.ended_at),
    ];
  });
  return table(texts.runsNote(runs.length), columns, rows);
}

/** When a run has begun, or begins. */
function beginText({ started_at: at, not_before: from }: HarvestRunRecord, now: number): Html | string {
  if (at !== null) return instantOf(at);
  return Date.parse(from) <= now ? texts.soon : html`${texts.waitsUntil} ${instantOf(from)}`;
}
