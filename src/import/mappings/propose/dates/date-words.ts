import { monthsOfName } from './date-patterns.js';

const WEEK =
  /^(?:week|wk|w|sem|semaine|semana|minggu|hafta|tuần|неделя|нед|الأسبوع|الاسبوع)\.?[\s_]*(?:n[o°.]*\s*)?\d{1,2}(?:[\s,/_-]+(?:of\s+|de\s+)?(\p{L}+)\.?(?:[\s,/_-]*(?:\d{2}){1,2})?)?$/iu;
/** A week of a month as a Roman number behind it. */
const NUMBERED = /^(\p{L}+)\.?[\s_-]+(?:\d{2}){1,2}\s*[(,/_-]\s*(?:I{1,3}|IV|V)\s*\)?$/u;

/** Whether a text is a week without a year, or one of a month: `Wk1 Jan 2024`, `Jan 2024 (I)`. */
export function isUndatedWeek(text: string): boolean {
  const [week, month] = WEEK.exec(text.trim()) ?? NUMBERED.exec(text.trim()) ?? [];
  return week !== undefined && (month === undefined || monthsOfName(month).size > 0);
}

/** Whether a text is a year that begins in the middle of one, such as `2023/24`. */
export function isFiscalYear(text: string): boolean {
  const [, first = '', last = ''] =
    /^(?:FY\s*)?((?:19|20)\d\d)\s*[/–-]\s*((?:19|20)?\d\d)$/iu.exec(text.trim()) ?? [];
  return first !== '' && Number(last) % 100 === (Number(first) + 1) % 100;
}
