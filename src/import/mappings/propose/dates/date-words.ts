import { monthsOfName } from './date-patterns.js';

const WEEK =
  /^(?:week|wk|w|sem|semaine|semana|неделя|нед|الأسبوع|الاسبوع)\.?\s*(?:n[o°.]*\s*)?\d{1,2}(?:[\s,/-]+(?:of\s+|de\s+)?(\p{L}+)\.?(?:[\s,/-]*(?:\d{2}){1,2})?)?$/iu;

/** Whether a text is a week without a year, or one of a month: `Wk1 Jan 2024`. */
export function isUndatedWeek(text: string): boolean {
  const [week, month] = WEEK.exec(text.trim()) ?? [];
  return week !== undefined && (month === undefined || monthsOfName(month).size > 0);
}

/** Whether a text is a year that begins in the middle of one, such as `2023/24`. */
export function isFiscalYear(text: string): boolean {
  const [, first = '', last = ''] =
    /^(?:FY\s*)?((?:19|20)\d\d)\s*[/–-]\s*((?:19|20)?\d\d)$/iu.exec(text.trim()) ?? [];
  return first !== '' && Number(last) % 100 === (Number(first) + 1) % 100;
}
