import { month } from '../../analysis/analysis.parameters.js';
import { FORMULAS } from '../../analysis/comparisons/comparability.js';
import { PER } from '../../analysis/price-columns.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { ValidationError } from '../../platform/errors/api-error.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, date, many, one, text, uuid } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfText, PAGE_MEASURES, SCALES } from '../series/series-state.js';
import { texts } from '../texts.js';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** What the page of a comparison is asked for; most names are those of the API. */
export const compareQuery = new QuerySchema(
  {
    uuids: many(uuid, 'The series, in this order.'),
    add: one(text(), 'One more: its uuid, the address of its page, or words to find it by.'),
    measure: one(choice(PAGE_MEASURES), 'Prices as published, in real terms or in US dollars.'),
    per: one(choice(PER), 'Per published unit, or per kilogram or litre.'),
    formula: one(choice(FORMULAS), 'What two series are compared by.'),
    base: one(month, 'In place of prices, an index that is 100 in this month.'),
    scale: one(choice(SCALES), 'The scale of the chart.'),
    start_date: one(date, 'Months of this date or later.'),
    end_date: one(date, 'Months of this date or earlier.'),
    as_of: asOfParameter,
    page: pageParameters.page,
  },
  { ranges: [['start_date', 'end_date']] },
);

export type CompareQuery = QueryValues<typeof compareQuery.parameters>;

/** The series that are asked for. */
export function uuidsOf({ uuids = [], add = '' }: CompareQuery): string[] {
  const added = UUID.exec(add)?.[0].toLowerCase();
  return [...new Set(added === undefined ? uuids : [...uuids, added])];
}

/** The words by which one more is searched; null for none. */
export const wordsOf = ({ add = '' }: CompareQuery): string | null =>
  add.trim() === '' || UUID.test(add) ? null : add.trim();

/** @throws ValidationError without series */
export function requireSeries(query: CompareQuery): void {
  if (uuidsOf(query).length > 0) return;
  throw new ValidationError([
    { in: 'query', name: 'uuids', code: 'required', detail: texts.images.needsSeries },
  ]);
}

/** What is chosen of the page besides its series, without what it shows unless asked otherwise. */
export const chosenOf = (query: CompareQuery): Record<string, string | undefined> => ({
  measure: query.measure === 'nominal' ? undefined : query.measure,
  per: query.per === 'unit' ? undefined : query.per,
  formula: query.formula === 'ratio' ? undefined : query.formula,
  base: query.base,
  scale: query.scale === 'linear' ? undefined : query.scale,
  start_date: query.start_date,
  end_date: query.end_date,
  as_of: asOfText(query.as_of),
});

/** The address of the page in a state, or of its chart (`.svg`). */
export const compareAddress = (query: CompareQuery, change: AddressValues = {}, suffix = ''): string =>
  addressOf(`/compare${suffix}`, { uuids: uuidsOf(query).join(','), ...chosenOf(query), ...change });
