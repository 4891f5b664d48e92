import { Injectable } from '@nestjs/common';
import { asOf } from '../../ledger/revision/as-of.js';
import { PastRevisions } from '../../ledger/revision/past-revisions.js';
import { ValidationError } from '../../platform/errors/api-error.js';
import { one, required } from '../../platform/validation/parsers.js';
import {
  type ParameterTable,
  QuerySchema,
  type QueryValues,
} from '../../platform/validation/query-schema.js';
import { priceListRanges, pricedSeriesFilters } from '../prices.parameters.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pointDifferenceColumns, type RevisionRange } from './price-differences.js';

const rangeParameters = {
  from: required(one(asOf, 'The earlier state: a date, an instant or a revision, as in `as_of`. Required.'), {
    detail: 'from is required: the earlier state.',
  }),
  to: one(asOf, 'The later state; the present one unless given.'),
};

/** The query parameters of the differences of one series. */
export const differencesQuery = listQuery(new QuerySchema(rangeParameters), pointDifferenceColumns);

/** The query parameters of the differences of several series. */
export const differenceListQuery = listQuery(
  new QuerySchema(
    { ...rangeParameters, ...pricedSeriesFilters },
    { ranges: priceListRanges.filter(([first]) => first in pricedSeriesFilters) as never },
  ),
  pointDifferenceColumns,
);

export type DifferenceParameters<T extends ParameterTable> = QueryValues<T>;

/** Finds the two revisions that a request compares. */
@Injectable()
export class RevisionRanges {
  constructor(private readonly revisions: PastRevisions) {}

  /** @throws ValidationError where `from` is later than `to`, or one does not exist */
  async of(values: QueryValues<typeof rangeParameters>): Promise<RevisionRange> {
    const from = (await this.revisions.resolve(values.from, 'from'))!;
    const to = (await this.revisions.resolve(values.to ?? 'now', 'to'))!;
    if (from <= to) return { from, to };
    const detail = 'from must not be after to.';
    throw new ValidationError(
      ['from', 'to'].map((name) => ({ in: 'query', name, code: 'reversed_range', detail }) as const),
    );
  }
}
