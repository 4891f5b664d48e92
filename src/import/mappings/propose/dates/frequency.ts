import { periodOfWord } from '../../../formats/other-words.js';
import { foldWords } from '../columns/words.js';
import type { Draft } from '../draft.js';
import { serialDay } from './date-columns.js';
import { findDates } from './date-patterns.js';

export function findPeriodicity(draft: Draft): void {
  const column = draft.of('periodicity');
  if (column !== undefined) {
    const values = column.distinct.map((text) => [text, periodOfWord(text)] as const);
    if (values.some(([text, name]) => text !== name))
      draft.fields.periodicity!.values = Object.fromEntries(values);
    return;
  }
  const format = draft.fields.date?.format;
  // People say the date, and may say a day where the title has a month.
  if (draft.isAsked('date') && draft.fields.date?.column === undefined)
    return askForPeriodicity(
      draft,
      saidPeriod(draft) ?? (format !== undefined && !/%[dVj]/.test(format) ? 'monthly' : null),
      'The title or the file says so.',
    );
  const hasMonths =
    draft.has('month') || (format !== undefined && !/%[dVj]/.test(format) && format !== 'excel');
  const days = hasMonths ? [] : daysOfDates(draft);
  if (hasMonths) {
    draft.fields.periodicity = { value: 'monthly' };
    return draft.say('fields.periodicity', 'The dates are months without days.');
  }
  if (format?.includes('%V')) {
    draft.fields.periodicity = { value: 'weekly' };
    return draft.say('fields.periodicity', 'The dates are weeks.');
  }
  const said = saidPeriod(draft);
  askForPeriodicity(
    draft,
    said ?? periodOfDays(days),
    said === undefined ? 'So the dates lie apart.' : 'The title or the file says so.',
  );
}

/** How often there is a price, as a title or the name of the file says it. */
function saidPeriod(draft: Draft): string | undefined {
  return [...draft.context, draft.sample.fileName.replaceAll('_', ' '), draft.sample.sheetName ?? '']
    .flatMap((text) => foldWords(text).split(' '))
    .map(periodOfWord)
    .find((word) => ['daily', 'weekly', 'monthly'].includes(word));
}

export function daysOfDates(draft: Draft): string[] {
  const format = draft.fields.date?.format;
  const column = draft.of('date');
  if (draft.fields.date?.join !== undefined) return [];
  const texts = column?.distinct ?? draft.levels.find(({ kind }) => kind === 'date')?.names ?? [];
  if (format === 'excel') return texts.map(serialDay);
  const found = findDates(texts, draft.languages);
  return [...(found?.patterns[0]?.readings.values() ?? [])];
}

function askForPeriodicity(draft: Draft, proposed: string | null, because: string | null): void {
  draft.ask({
    control: 'fields.periodicity',
    text: 'How often is there a price: daily, weekly or monthly?',
    answers: ['daily', 'weekly', 'monthly'].map((value) => ({ value: `value:${value}`, label: value })),
    proposed: proposed === null ? null : `value:${proposed}`,
    because: proposed === null ? null : because,
  });
}

/** How often there is a price by the days of a table; null where they do not show it. */
export function periodOfDays(days: readonly string[]): string | null {
  const sorted = [...new Set(days)].sort().map((day) => Date.parse(day) / 86_400_000);
  const steps = sorted.slice(1).map((day, at) => day - sorted[at]!);
  if (steps.length === 0) return null;
  const median = steps.sort((one, other) => one - other)[steps.length >> 1]!;
  if (median >= 27 && median <= 32) return 'monthly';
  if (median >= 5 && median <= 9) return 'weekly';
  return median <= 3 ? 'daily' : null;
}
