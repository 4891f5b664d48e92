import { PROVISIONAL_STATUS, type SeriesStatus } from '../../../../price-series/series-status.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { quoted } from '../sentences.js';
import { foldWords } from './words.js';

/** Status of a price: a provisional one belongs to the observed series, and has a mark. */
type PriceStatus = SeriesStatus | typeof PROVISIONAL_STATUS;

/** Words that tables have for the status of a price. */
const WORDS: Readonly<Record<PriceStatus, readonly string[]>> = {
  observed: [
    ...['actual', 'observed', 'observation', 'real', 'official', 'final', 'reported', 'survey', 'surveyed'],
    ...['aggregate', 'observé', 'observée', 'réel', 'officiel', 'définitif'],
    ...['observado', 'oficial', 'definitivo'],
    ...['фактический', 'факт', 'فعلي'],
  ],
  provisional: ['provisional', 'preliminary', 'provisoire', 'provisório', 'preliminar'],
  estimated: [
    ...['estimate', 'estimated', 'estimates', 'estimation', 'imputed', 'modelled', 'modeled', 'interpolated'],
    ...['estimé', 'estimée', 'imputé', 'estimado', 'estimada', 'estimación', 'estimativa', 'imputado'],
    ...['оценка', 'تقدير', 'تقديري'],
  ],
  forecast: [
    ...[
      'forecast',
      'forecasted',
      'forecasts',
      'projected',
      'projection',
      'predicted',
      'prediction',
      'outlook',
    ],
    ...['prévision', 'prévisions', 'prévu', 'projeté', 'pronóstico', 'previsto', 'previsión', 'previsão'],
    ...['proyección', 'projeção', 'прогноз', 'توقع', 'متوقع'],
  ],
};
const statusByWord: ReadonlyMap<string, PriceStatus> = new Map(
  (Object.entries(WORDS) as [PriceStatus, readonly string[]][]).flatMap(([status, words]) =>
    words.map((word) => [foldWords(word), status] as const),
  ),
);
/** SDMX's codes of observation status, in lower case as words are compared. */
const CODES: Readonly<Record<string, PriceStatus>> = {
  a: 'observed',
  p: PROVISIONAL_STATUS,
  e: 'estimated',
  f: 'forecast',
};
const YES = new Set(['yes', 'y', 'true', '1', 'oui', 'si', 'sim', 'да', 'نعم']);
const NO = new Set(['no', 'n', 'false', '0', 'non', 'nao', 'нет', 'لا']);

const isUnobserved = (status: PriceStatus | undefined) => status === 'estimated' || status === 'forecast';

/** The status in the first word for estimates or forecasts; null for a text without such a word. */
const unobservedStatusIn = (text: string): PriceStatus | null =>
  foldWords(text)
    .split(' ')
    .map((word) => statusByWord.get(word))
    .find(isUnobserved) ?? null;

/**
 * Finds the column that says which prices are observed, estimated or forecasts. Where there is
 * none, but a column may have such a status or a price column is named like one, the user has to
 * confirm that all prices are observed.
 */
export function findStatus(draft: Draft): void {
  if (draft.has('status')) return;
  for (const column of draft.free()) {
    const values = statusesOf(column);
    if (values === null) continue;
    draft.assign(
      column,
      'status',
      `The column ${quoted(column.header)} says which prices are provisional, estimates or forecasts.`,
    );
    draft.fields.status!.values = values;
    return;
  }
  const pricesNamedSo = [...draft.priceColumns(), ...draft.unpivoted].filter(
    ({ header }) => unobservedStatusIn(header) !== null,
  );
  const comments = draft.columns.filter(({ role }) => role === 'comment');
  const columnsWithStatus = [...draft.free(), ...comments].filter(mayHaveStatus);
  const columns = [...new Set([...pricesNamedSo, ...columnsWithStatus])];
  if (columns.length > 0)
    draft.confirm(
      'status',
      `${columns.map(({ header }) => quoted(header)).join(', ')} may be of estimates or forecasts: all prices are stored as observed.`,
    );
}

/**
 * The status that each value of a column stands for; null unless all are status words, or answers
 * to a header that asks for one: `Estimated` with `yes` and `no`.
 */
function statusesOf({ header, distinct, isNumeric }: ValuedColumn): Record<string, PriceStatus> | null {
  const words = distinct.map(foldWords);
  const headerStatus = unobservedStatusIn(header);
  const isYesOrNo = headerStatus !== null && words.every((word) => YES.has(word) || NO.has(word));
  // The answers may be 1 and 0.
  if (isNumeric && !isYesOrNo) return null;
  const hasSdmxCodes = foldWords(header) === 'obs status';
  const statusOf = (word: string): PriceStatus | null => {
    if (isYesOrNo) return YES.has(word) ? headerStatus : 'observed';
    return statusByWord.get(word) ?? (hasSdmxCodes ? CODES[word] : null) ?? null;
  };
  const statuses = words.map(statusOf);
  if (statuses.includes(null) || statuses.every((status) => status === 'observed')) return null;
  return Object.fromEntries(distinct.map((text, at) => [text, statuses[at]!]));
}

/** Whether some values are words for estimates or forecasts, or codes that may stand for them. */
function mayHaveStatus({ header, distinct, isNumeric }: ValuedColumn): boolean {
  if (isNumeric) return false;
  if (distinct.some((text) => isUnobserved(statusByWord.get(foldWords(text))))) return true;
  const isStatusHeader = /(?:^| )(?:status|statut|estado|flags?)(?: |$)/.test(foldWords(header));
  return isStatusHeader && distinct.some((text) => isUnobserved(CODES[foldWords(text)]));
}
