const WEEK_ALONE =
  /^(?:week|wk|w|sem|semaine|semana|неделя|нед|الأسبوع|الاسبوع)\.?\s*(?:n[o°.]*\s*)?\d{1,2}$/iu;

/** Whether a text is a week without a year. */
export const isWeekAlone = (text: string): boolean => WEEK_ALONE.test(text.trim());

/** Whether a text is a year that begins in the middle of one, such as `2023/24`. */
export function isFiscalYear(text: string): boolean {
  const [, first = '', last = ''] =
    /^(?:FY\s*)?((?:19|20)\d\d)\s*[/–-]\s*((?:19|20)?\d\d)$/iu.exec(text.trim()) ?? [];
  return first !== '' && Number(last) % 100 === (Number(first) + 1) % 100;
}
