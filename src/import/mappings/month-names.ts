import { foldForSearch } from '../../lib/text/folding.js';
import type { Calendar } from './calendars.js';

/** A name of a month as it is compared: without case, accents, dots and blanks around it. */
export const foldMonth = (text: string): string =>
  foldForSearch(text).replaceAll('.', '').replace(/\s+/g, ' ');

/** Widths of names, and whether they stand alone or in a date, which some languages inflect. */
const OPTIONS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
];

/** Short names that offices write and `Intl` does not, by language. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { sept: 9, june: 6, july: 7 },
  fr: { jan: 1, fev: 2, avr: 4, jun: 6, juin: 6, jul: 7, juil: 7, aou: 8, sep: 9, sept: 9 },
  es: { ene: 1, abr: 4, ago: 8, sep: 9, sept: 9, set: 9, setiembre: 9, dic: 12 },
  pt: { set: 9 },
};

/** Ethiopian months as they are spelled beside the names that `Intl` has in English. */
const ETHIOPIC_NAMES: Readonly<Record<string, number>> = {
  ...{ mäskäräm: 1, tikimt: 2, tikemt: 2, teqemt: 2, hidar: 3, tahisas: 4, tahesas: 4, tir: 5, yekatit: 6 },
  ...{
    megabit: 7,
    meggabit: 7,
    miyazya: 8,
    miazya: 8,
    miyazia: 8,
    ginbot: 9,
    guenbot: 9,
    sene: 10,
    senie: 10,
  },
  ...{ hamle: 11, nehase: 12, nehasie: 12, pagume: 13, puagume: 13, pagumiene: 13 },
};

const DAYS_BETWEEN = 20;
const MS_PER_DAY = 86_400_000;
const YEAR_DAYS = 400;

const known = new Map<string, ReadonlyMap<string, number>>();

/**
 * The months of a language by their names, long and short. A name that two months have is none.
 * @param language tag such as `fr`
 */
export function monthNames(language: string, calendar: Calendar): ReadonlyMap<string, number> {
  const key = `${language} ${calendar}`;
  let names = known.get(key);
  if (names === undefined) known.set(key, (names = readNames(language, calendar)));
  return names;
}

function readNames(language: string, calendar: Calendar): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const ambiguous = new Set<string>();
  const zone = { timeZone: 'UTC' };
  const tag = (of: string) => `${of}-u-nu-latn-ca-${calendar === 'gregorian' ? 'gregory' : calendar}`;
  const numbers = new Intl.DateTimeFormat(tag('en'), { ...zone, month: 'numeric' });
  const formatters = OPTIONS.map(
    (options) => new Intl.DateTimeFormat(tag(language), { ...zone, ...options }),
  );
  const add = (text: string, month: number) => {
    const name = foldMonth(text);
    if (name === '' || /^\d+$/.test(name)) return;
    const other = names.get(name);
    if (other !== undefined && other !== month) ambiguous.add(name);
    names.set(name, month);
  };
  const start = Date.UTC(2024, 0, 1);
  for (let day = 0; day < YEAR_DAYS; day += 1) {
    if (day % DAYS_BETWEEN !== 0 && calendar === 'gregorian') continue;
    const time = start + day * MS_PER_DAY;
    const month = Number.parseInt(numbers.format(time), 10);
    for (const formatter of formatters) {
      const part = formatter.formatToParts(time).find(({ type }) => type === 'month');
      if (part !== undefined) add(part.value, month);
    }
  }
  const [plain = ''] = language.split('-');
  const others =
    calendar === 'gregorian'
      ? OTHER_NAMES[plain]
      : calendar === 'ethiopic' && plain === 'en'
        ? ETHIOPIC_NAMES
        : undefined;
  for (const [name, month] of Object.entries(others ?? {})) {
    const folded = foldMonth(name);
    if (!names.has(folded)) names.set(folded, month);
  }
  for (const name of ambiguous) names.delete(name);
  return names;
}
