import { countryName } from '../../../../lib/codes/countries.js';
import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import { likelyCountry } from '../columns/series-values.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { quoted } from '../sentences.js';
import { footnoteOf } from '../table/footnotes.js';
import { bareNumber, hasMoney } from '../table/layout.js';
import { codesIn, currencyCodesOf, isUnit, type Money, moneyOfHeader, moneyOfTitle } from './money.js';

/** Currency and unit: of columns, of headers, else of titles, which are asked. */
export function findMoney(draft: Draft): void {
  const likely = likelyCountry(draft).proposed;
  const column = draft.of('currency');
  if (column !== undefined) findCurrencies(draft, column, likely);
  const price = draft.of(draft.value);
  const headers = [
    ...(draft.unpivoted.length === 0 && price !== undefined
      ? [moneyOfHeader(price.header)?.money ?? moneyOfTitle(price.header)]
      : []),
    ...(draft.unpivoted.length === 0 && price !== undefined
      ? price.parts.map((part) => moneyOfHeader(part)?.money ?? null)
      : []),
    ...draft.levels.map(({ money }) => money),
  ].filter((money): money is Money => money !== null);
  const titles = [...draft.context, ...draft.priceColumns().flatMap(({ parts }) => parts)]
    .map((text) => ({ text, money: moneyOfTitle(text.trim()) }))
    .filter(({ money }) => money !== null) as { text: string; money: Money }[];
  if (!draft.has('currency') && !draft.isAsked('currency')) {
    const inHeader = headers.find(({ currency }) => currency !== null)?.currency;
    const named = titles.filter(({ money }) => money.currency !== null);
    // Two of them contradict each other.
    const isOne = new Set(named.map(({ money }) => money.currency!.codes.join())).size < 2;
    const inTitle = isOne ? named[0] : undefined;
    const inCells = currencyOfCells(draft);
    if (inHeader) takeCurrency(draft, inHeader.text, inHeader.codes, likely, 'The header says');
    else if (inCells !== null) takeCurrency(draft, inCells.text, inCells.codes, likely, 'The cells have');
    else {
      const codes = inTitle === undefined ? [] : codesIn(inTitle.money.currency!.codes, likely);
      const own = likely === null || !isOne ? undefined : currenciesOf(likely)[0];
      draft.ask({
        control: 'fields.currency',
        text: 'In which currency are the prices?',
        answers: [],
        proposed: codes.length === 1 ? `value:${codes[0]}` : own === undefined ? null : `value:${own}`,
        because:
          codes.length === 1
            ? `It is in ${quoted(inTitle!.text)}.`
            : own === undefined
              ? null
              : `It is the currency of ${countryName(likely!)}.`,
      });
    }
  }
  draft.levels.forEach(({ units }) => {
    if (units.length > 0) draft.say('unpivot.columns', `Headers have units: ${quoted(units[0]!)}.`);
  });
  if (draft.has('measure_unit') || draft.isAsked('measure_unit')) return;
  const inHeader = headers.find(({ unit }) => unit !== null)?.unit;
  const named = titles.filter(({ money }) => money.unit !== null);
  const inTitle = new Set(named.map(({ money }) => money.unit)).size < 2 ? named[0] : undefined;
  if (inHeader) {
    draft.fields.measure_unit = { value: inHeader };
    return draft.say('fields.measure_unit', `The header says ${quoted(inHeader)}.`);
  }
  if (unitsOfNames(draft)) return;
  draft.ask({
    control: 'fields.measure_unit',
    text: 'Of which quantity are the prices, such as kg, 50 kg or l?',
    answers: [],
    proposed: inTitle === undefined ? null : `value:${inTitle.money.unit}`,
    because: inTitle === undefined ? null : `It is in ${quoted(inTitle.text)}.`,
  });
}

function takeCurrency(
  draft: Draft,
  text: string,
  codes: readonly string[],
  likely: string | null,
  begin: string,
): void {
  if (codes.length === 1) {
    draft.fields.currency = { value: codes[0]! };
    return draft.say('fields.currency', `${begin} ${quoted(text)}.`);
  }
  const possible = codesIn(codes, likely);
  draft.ask({
    control: 'fields.currency',
    text: `Which currency is ${quoted(text)}?`,
    answers: codes.map((code) => ({ value: `value:${code}`, label: code })),
    proposed: possible.length === 1 ? `value:${possible[0]}` : null,
    because: possible.length === 1 ? `It is that of ${countryName(likely!)}.` : null,
  });
}

/** A currency that stands in the cells of prices. */
function currencyOfCells(draft: Draft): { text: string; codes: readonly string[] } | null {
  const cells = draft.columns.filter(({ role }) => role === draft.value).flatMap(({ values }) => values);
  const signs = new Set(
    cells.map((cell) => {
      const bare = bareNumber(cell);
      return hasMoney(cell) ? (footnoteOf(cell)?.number ?? cell).replace(bare, '').trim() : '';
    }),
  );
  signs.delete('');
  const [sign] = signs;
  if (sign === undefined || signs.size > 1) return null;
  const codes = currencyCodesOf(sign);
  return codes.length === 0 ? null : { text: sign, codes };
}

function findCurrencies(draft: Draft, column: ValuedColumn, likely: string | null): void {
  const values = column.distinct.map((text) => [text, currencyCodesOf(text)] as const);
  if (values.every(([text, codes]) => codes.length === 1 && codes[0] === text.toUpperCase())) return;
  const open = values.filter(([, codes]) => codesIn(codes, likely).length !== 1);
  if (open.length > 0)
    draft.ask({
      control: 'fields.currency.values',
      text: `Which currencies are ${open.map(([text]) => quoted(text)).join(', ')}?`,
      answers: [],
    });
  const isGuessed = values.some(([, codes]) => codes.length > 1);
  draft.fields.currency!.values = Object.fromEntries(
    values.map(([text, codes]) => [
      text,
      codesIn(codes, likely).length === 1 ? codesIn(codes, likely)[0]! : '',
    ]),
  );
  if (open.length === 0 && isGuessed)
    draft.confirm(
      'currencies',
      `Currencies are read as ${values.map(([text, codes]) => `${text} = ${codesIn(codes, likely)[0]}`).join(', ')}.`,
    );
}

/** Units that stand in parentheses at the end of the names of products. */
function unitsOfNames(draft: Draft): boolean {
  const column = draft.of('commodity');
  if (column === undefined) return false;
  const units = column.distinct.map(
    (name) => [name, /[([]\s*([^()[\]]+)\s*[)\]]\s*$/.exec(name)?.[1]?.trim() ?? ''] as const,
  );
  if (!units.every(([, unit]) => unit !== '' && isUnit(unit.replace(/^(?:per|par|por)\s+/i, ''))))
    return false;
  draft.fields.measure_unit = { column: column.ref, values: Object.fromEntries(units) };
  draft.say('fields.measure_unit', `It stands in the names of products: ${quoted(column.distinct[0]!)}.`);
  return true;
}
