import { foldForSearch } from '../../lib/text/folding.js';
import type { Calendar } from './calendars.js';

/** A name of a month in the form that is compared: without case, accents, dots and extra blanks. */
export const foldMonth = (text: string): string =>
  foldForSearch(text).replaceAll('.', '').replace(/\s+/g, ' ');

/** Long and short names, alone and within a date, where some languages inflect them. */
const NAME_FORMATS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
];

type MonthsByName = Readonly<Record<string, number>>;

/** Short names that offices write and `Intl` does not, by language. */
const OTHER_NAMES: Readonly<Record<string, MonthsByName>> = {
  en: { sept: 9, june: 6, july: 7 },
  fr: { jan: 1, fev: 2, avr: 4, jun: 6, juin: 6, jul: 7, juil: 7, aou: 8, sep: 9, sept: 9 },
  es: { ene: 1, abr: 4, ago: 8, sep: 9, sept: 9, set: 9, setiembre: 9, dic: 12 },
  pt: { set: 9 },
};

/** Spellings that `Intl` does not have of the Ethiopian months, from the first to the last. */
const ETHIOPIC_SPELLINGS: readonly (readonly string[])[] = [
  ['mäskäräm'],
  ['tikimt', 'tikemt', 'teqemt'],
  ['hidar'],
  ['tahisas', 'tahesas'],
  ['tir'],
  ['yekatit'],
  ['megabit', 'meggabit'],
  ['miyazya', 'miazya', 'miyazia'],
  ['ginbot', 'guenbot'],
  ['sene', 'senie'],
  ['hamle'],
  ['nehase', 'nehasie'],
  ['pagume', 'puagume', 'pagumiene'],
];
const ETHIOPIC_NAMES: MonthsByName = Object.fromEntries(
  ETHIOPIC_SPELLINGS.flatMap((names, index) => names.map((name) => [name, index + 1])),
);

const MS_PER_DAY = 86_400_000;

/** More than a year of any calendar, so that each of its months is met. */
const DAYS_TRIED = 400;
/** Shorter than any Gregorian month. The Ethiopian calendar has one of five days: no step there. */
const GREGORIAN_STEP = 20;

/** Names by language and calendar: formatting hundreds of dates takes milliseconds. */
const cache = new Map<string, ReadonlyMap<string, number>>();

/**
 * The months of a language by their names, long and short. A name of two different months is left
 * out.
 * @param language tag such as `fr`
 */
export function monthNames(language: string, calendar: Calendar): ReadonlyMap<string, number> {
  const key = `${language} ${calendar}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const names = intlNames(language, calendar);
  for (const [name, month] of Object.entries(otherNames(language, calendar))) {
    const folded = foldMonth(name);
    if (!names.has(folded)) names.set(folded, month);
  }
  for (const [name, month] of names) if (month === AMBIGUOUS) names.delete(name);
  cache.set(key, names);
  return names;
}

/** In place of the month of a name that several months have. */
const AMBIGUOUS = 0;

/** The names that `Intl` has, found by formatting dates. */
function intlNames(language: string, calendar: Calendar): Map<string, number> {
  const names = new Map<string, number>();
  const add = (text: string, month: number) => {
    const name = foldMonth(text);
    // Some languages write months as numbers, which are read without names.
    if (name === '' || /^\d+$/.test(name)) return;
    names.set(name, (names.get(name) ?? month) === month ? month : AMBIGUOUS);
  };
  const formatter = (tag: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${tag}-u-nu-latn-ca-${calendar === 'gregorian' ? 'gregory' : calendar}`, {
      timeZone: 'UTC',
      ...options,
    });
  const numbers = formatter('en', { month: 'numeric' });
  const formatters = NAME_FORMATS.map((options) => formatter(language, options));
  const start = Date.UTC(2024, 0, 1);
  const step = calendar === 'gregorian' ? GREGORIAN_STEP : 1;
  for (let day = 0; day < DAYS_TRIED; day += step) {
    const time = start + day * MS_PER_DAY;
    const month = Number.parseInt(numbers.format(time), 10);
    for (const each of formatters) {
      const part = each.formatToParts(time).find(({ type }) => type === 'month');
      if (part !== undefined) add(part.value, month);
    }
  }
  return names;
}

/** The names that are in use beside those of `Intl`. */
function otherNames(language: string, calendar: Calendar): MonthsByName {
  const [baseLanguage = ''] = language.split('-');
  if (calendar === 'gregorian') return OTHER_NAMES[baseLanguage] ?? {};
  return calendar === 'ethiopic' && baseLanguage === 'en' ? ETHIOPIC_NAMES : {};
}
