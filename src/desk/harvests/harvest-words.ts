import { tokenField } from '../layout/desk-form.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { dayOfInstant } from '../../releases/period-end.js';
import type { ExpectedFile } from '../../harvests/alarms/expected-file.js';
import type { HarvestRecord } from '../../harvests/records/harvest.dto.js';
import type { HarvestRunRecord } from '../../harvests/runs/harvest-run.dto.js';
import type { RunStates } from '../../harvests/runs/harvest-runs.js';
import { harvestAddress } from './harvest-address.js';
import { scheduleInWords } from './schedule-words.js';

/** When a harvest runs: in words where these are clear, and as cron otherwise. */
export const scheduleText = ({ schedule, time_zone: zone }: HarvestRecord): string =>
  texts.zone(scheduleInWords(schedule) ?? schedule, zone);

/**
 * When a harvest runs next: by its schedule, or before, as a retry or because it was asked for.
 * @param now milliseconds since 1970
 */
export function nextText(
  { next_run_at: due }: HarvestRecord,
  waiting: RunStates['waiting'],
  now: number,
): Html | string {
  if (waiting !== null && (due === null || waiting.not_before <= due)) {
    const { not_before: from, attempt } = waiting;
    const when = Date.parse(from) <= now ? texts.soon : instantOf(from);
    return attempt === 1 ? html`${when}` : html`${when} <span class="muted">${texts.attempt(attempt)}</span>`;
  }
  return due === null ? '–' : instantOf(due);
}

/**
 * How a run has ended, or stands, and why.
 * @param isBrief without the reason, which stands elsewhere
 */
export function endText(run: HarvestRunRecord, isBrief: boolean): Html {
  const { state, attempt, error, held, decided_by: by, reason } = run;
  const sentences = [error, ...held.map(({ detail }) => detail), by && texts.decided(by, reason)];
  const told = isBrief ? [] : sentences.filter((sentence) => sentence !== '');
  return html`<strong>${texts.states[state]}</strong>${
      attempt === 1 ? null : html` <span class="muted">(${texts.attempt(attempt)})</span>`
    }${told.length === 0 ? null : html`: ${nameOf(told.join(' '))}`}`;
}

/**
 * When the next values of a harvest are expected, and by how many days they are late; null where
 * that is not known.
 */
export function expectedText(file: ExpectedFile | undefined, now: number): Html | null {
  if (file === undefined) return null;
  const today = dayOfInstant(now);
  const days = today - file.expected;
  const late = html`,
  ${today > file.until ? html`<strong>${texts.daysLate(days)}</strong>` : texts.daysLate(days)}`;
  return html`${dateOf(isoFromDay(file.expected))}${days > 0 ? late : null}`;
}

/** Durations of ISO 8601, such as `P10D`, in words. */
export function durationText(duration: string): string {
  const count = Number(duration.slice(1, -1));
  return texts.durations[duration.at(-1) as keyof typeof texts.durations](count);
}

/** The button that runs a harvest now. */
export const runButton = ({ id, name }: Pick<HarvestRecord, 'id' | 'name'>, session: DeskSession): Html =>
  html`<form method="post" action="${harvestAddress(id)}/run">
    ${tokenField(session)} <button aria-label="${texts.runOf(name)}">${texts.run}</button>
  </form>`;

/** The button that turns a harvest on or off. */
export const turnButton = ({ id, enabled }: HarvestRecord, session: DeskSession): Html =>
  html`<form method="post" action="${harvestAddress(id)}/enabled">
    ${tokenField(session)} ${hidden('enabled', String(!enabled))}
    <button>${enabled ? texts.turnOff : texts.turnOn}</button>
  </form>`;
