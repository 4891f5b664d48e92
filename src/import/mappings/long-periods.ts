import { foldForSearch } from '../../lib/text/folding.js';

/*
 * What tables have between months: quarters, halves and averages of years, which are not stored.
 */

const QUARTER =
  /^(?:q|t|trim\.?|trimestre|quarter|кв\.?|квартал|الربع)\s*[1-4]\b|^[1-4]\s*(?:er|e|º|°|st|nd|rd|th)?\s*(?:q|trim|quarter|кв)|^(?:19|20)\d\d\s*[-/ ]?\s*[qt]\s*[1-4]$|^[qt][1-4]/iu;

/** Whether a text is a quarter of a year. */
export const isQuarter = (text: string): boolean => QUARTER.test(text.trim());

const HALF =
  /^(?:h|s|sem\.?|semestre|semester|half)\s*[12]$|^(?:[12]\s*(?:er|e|º|°|st|nd)?|first|second)\s*(?:half|sem)/iu;
const PERIOD_CODE = /^(?:[QS]0[1-4]|A01|M13)$/i;
const YEAR = /(?:^|(?<=\D))(?:19|20)\d\d(?=\D|$)/g;

/** Words of which the names of averages and totals of a year consist. */
const WORDS = new Set(
  (
    'annual annually year yearly calendar average averages avg mean total annuel annuelle annee moyenne moyen moy' +
    ' anual ano anos promedio prom media medio ensemble monthly mensuelle mensual the of for de del da do la l d' +
    ' في سنوي السنوي السنوية المتوسط متوسط المعدل المجموع العام год года годовая годовой среднегодовая среднее' +
    ' средняя в за среднем итого всего mittel durchschnitt jahr m13'
  )
    .split(' ')
    .map(foldForSearch),
);
/** Those that say nothing alone. */
const FILLING = new Set('monthly mensuelle mensual the of for de del da do la l d في в за'.split(' '));

/** Longest text that is looked at. */
const MAX_LENGTH = 60;

/** Whether a text is a quarter, a half, or an average or total of a year, also with that year. */
export function isLongPeriod(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const trimmed = text.trim();
  if (isQuarter(trimmed)) return true;
  const rest = trimmed
    .replace(YEAR, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  if (rest === '') return /\d/.test(trimmed);
  if (isQuarter(rest) || HALF.test(rest) || PERIOD_CODE.test(rest)) return true;
  const words = foldForSearch(rest).split(' ');
  return words.every((word) => WORDS.has(word)) && words.some((word) => !FILLING.has(word));
}
