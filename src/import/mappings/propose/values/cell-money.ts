import { countryOf } from '../columns/column-roles.js';
import type { Draft } from '../draft.js';
import { quoted } from '../sentences.js';
import { moneyOfCell } from '../table/cell-number.js';
import { codesIn, type Money, type NamedCurrency } from './money.js';
import { currencyByCountry } from './money-columns.js';

/**
 * The money that stands around the numbers of prices; null where none does, or several kinds do.
 * Cells of several currencies are rejected, unless each country has its own.
 * @param said the codes that the header or a column says; null where none does
 */
export function moneyOfCells(draft: Draft, said: readonly string[] | null): Money | null {
  const found = new Map<string, { money: Money | null; example: string }>();
  let bare: string | null = null;
  for (const cell of draft.priceColumns().flatMap(({ values }) => values)) {
    const read = moneyOfCell(cell);
    if (read === null) continue;
    const { sign, money } = read;
    if (sign === '') bare ??= cell;
    else {
      const key = money === null ? sign : keyOf(money);
      if (!found.has(key)) found.set(key, { money, example: cell });
    }
  }
  const [first, second] = found.values();
  if (first === undefined) return null;
  const codes = first.money?.currency?.codes ?? [];
  const isOther = said !== null && codes.length > 0 && !codes.some((code) => said.includes(code));
  if (second !== undefined || isOther) {
    if (said === null && bare === null && takeSignsOfCountries(draft)) return null;
    draft.readsSigns = false;
    draft.confirm(
      'signs',
      second === undefined
        ? `Prices such as ${quoted(first.example)} are in another currency than the file says: they are rejected.`
        : `Prices are in several currencies or units, such as ${quoted(first.example)} and ${quoted(second.example)}: ` +
            'a mapping reads one, and these are rejected.',
    );
    return null;
  }
  if (bare !== null && said === null)
    draft.confirm(
      'signs',
      `Prices such as ${quoted(first.example)} say their currency, and others such as ${quoted(bare)} do not: ` +
        'all are read as if they were in the same one.',
    );
  return first.money;
}

const keyOf = ({ currency, unit }: Money): string =>
  `${currency?.codes.join() ?? ''} ${currency?.factor ?? 1} ${unit ?? ''}`;

/** Takes the currency of each country from the signs of its cells. @returns whether each has one */
function takeSignsOfCountries(draft: Draft): boolean {
  const countries = draft.of('iso3_country_code');
  if (countries === undefined) return false;
  const codes = new Map<string, NamedCurrency>();
  for (const { cells } of draft.priceColumns())
    for (const [at, cell] of cells.entries()) {
      const country = countries.cells[at]!;
      if (cell === '') continue;
      const money = moneyOfCell(cell)?.money ?? null;
      const currency = money?.currency ?? null;
      if (currency === null || currency.factor !== 1 || money!.unit !== null) return false;
      const before = codes.get(country);
      if (before !== undefined && before.codes.join() !== currency.codes.join()) return false;
      codes.set(country, currency);
    }
  const values = [...codes].map(([country, currency]) => {
    const possible = codesIn(currency.codes, countryOf(country));
    return [country, possible.length === 1 ? possible[0]! : ''] as const;
  });
  currencyByCountry(
    draft,
    countries,
    Object.fromEntries(values),
    'The prices have the currency of each country.',
  );
  return true;
}
