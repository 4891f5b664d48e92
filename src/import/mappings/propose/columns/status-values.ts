import { PROVISIONAL_STATUS, type SeriesStatus } from '../../../../price-series/series-status.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { quoted } from '../sentences.js';
import { foldWords } from './words.js';

/** What a price is: provisional ones are observed, with a mark. */
type PriceStatus = SeriesStatus | typeof PROVISIONAL_STATUS;

/** Words for what prices are, each with the status that it stands for. */
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
const byWord = new Map(
  (Object.entries(WORDS) as [PriceStatus, readonly string[]][]).flatMap(([status, words]) =>
    words.map((word) => [foldWords(word), status] as const),
  ),
);
/** SDMX's codes of observation status. */
const CODES: Readonly<Record<string, PriceStatus>> = {
  ...{ a: 'observed', p: PROVISIONAL_STATUS, e: 'estimated', f: 'forecast' },
};
const YES = new Set(['yes', 'y', 'true', '1', 'oui', 'si', 'sim', 'да', 'نعم']);
const NO = new Set(['no', 'n', 'false', '0', 'non', 'nao', 'нет', 'لا']);

/** The words of a text that are those of estimates or forecasts; the first one decides. */
const statusInWords = (text: string): PriceStatus | null =>
  foldWords(text)
    .split(' ')
    .map((word) => byWord.get(word) ?? null)
    .find((status) => status === 'estimated' || status === 'forecast') ?? null;

/**
 * Which prices a source has observed, which it has estimated, and which it expects. Where a column
 * may say it and is not clear, or a column of prices is called so, that is told.
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
  const named = [...draft.priceColumns(), ...draft.unpivoted].filter(
    ({ header }) => statusInWords(header) !== null,
  );
  const remarks = draft.columns.filter(({ role }) => role === 'comment');
  const mixed = [...draft.free(), ...remarks].filter(mayHaveStatus);
  const columns = [...new Set([...named, ...mixed])];
  if (columns.length > 0)
    draft.confirm(
      'status',
      `${columns.map(({ header }) => quoted(header)).join(', ')} may be of estimates or forecasts: all prices are stored as observed.`,
    );
}

/** What the values of a column stand for; null where they are not all words of status. */
function statusesOf({ header, distinct, isNumeric }: ValuedColumn): Record<string, PriceStatus> | null {
  const words = distinct.map(foldWords);
  const told = statusInWords(header);
  const isAnswer = told !== null && words.every((word) => YES.has(word) || NO.has(word));
  if (isNumeric && !isAnswer) return null;
  const isCoded = foldWords(header) === 'obs status';
  const statusOf = (word: string): PriceStatus | null =>
    isAnswer
      ? YES.has(word)
        ? told
        : 'observed'
      : (byWord.get(word) ?? (isCoded ? CODES[word] : null) ?? null);
  const statuses = words.map(statusOf);
  if (statuses.includes(null) || statuses.every((status) => status === 'observed')) return null;
  return Object.fromEntries(distinct.map((text, at) => [text, statuses[at]!]));
}

/** Whether a column has words of estimates or forecasts among others, or marks that may be such. */
function mayHaveStatus({ header, distinct, isNumeric }: ValuedColumn): boolean {
  if (isNumeric) return false;
  const hasWord = distinct.some((text) => {
    const status = byWord.get(foldWords(text));
    return status === 'estimated' || status === 'forecast';
  });
  if (hasWord) return true;
  const isMark = /(?:^| )(?:status|statut|estado|flags?)(?: |$)/.test(foldWords(header));
  return isMark && distinct.some((text) => ['e', 'f'].includes(foldWords(text)));
}
