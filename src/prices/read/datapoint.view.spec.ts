import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { anyPoints, point, storedPoints, type Point } from '../../../test/support/stored-points.js';
import { assertProperty } from '../../../test/support/property.js';
import { ByteWriter } from '../../lib/text/byte-writer.js';
import { dayFromIso, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY, PERIOD_NAMES, WEEKLY } from '../../price-series/periodicity.js';
import {
  Conversion,
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  type MonthlyValues,
} from '../derive/conversion.js';
import { currencyRates } from '../derive/currency-rates.js';
import { pointCells, writeDatapoints, writePricesCsv, type PointContext } from './datapoint.view.js';
import { derive, newestFirst } from '../derive/derivation.js';
import { pricesCsvPointColumns } from './prices-csv.js';

/** No value in any month. */
const NO_VALUES: MonthlyValues = { at: () => NaN };

/** A rate and an index in every month but some. */
const someValues = (base: number): MonthlyValues => ({
  at: (month) => (month % 5 === 0 ? NaN : base + month / 7),
});

function context(
  rates: MonthlyValues,
  indices: MonthlyValues,
  conversionFactor: number | null,
): PointContext {
  return { serieId: 7, conversionFactor, conversion: new Conversion(rates, indices) };
}

function json(points: Point[], { marks, ...rest }: PointContext & { marks?: boolean }): unknown[] {
  const writer = new ByteWriter();
  writeDatapoints(writer, derive(storedPoints(points)), rest, marks);
  return JSON.parse(`[${writer.take().toString()}]`) as unknown[];
}

function csv(points: Point[], of: PointContext, linePrefix = ''): string {
  const writer = new ByteWriter();
  writePricesCsv(writer, derive(storedPoints(points)), of, linePrefix);
  return writer.take().toString();
}

const points = [
  point(DAILY, '2024-02-26', 100.5, { comment: 'on "offer", é' }),
  point(DAILY, '2024-03-01', 101.5),
  point(DAILY, '2024-03-04', 103),
];
const rates = monthlyRates([
  { period: 'monthly', day: dayFromIso('2024-02-01')!, rate: 20 },
  { period: 'monthly', day: dayFromIso('2024-03-01')!, rate: 25 },
]);
const indices = monthlyIndices([{ basePeriod: '2020', day: dayFromIso('2024-03-01')!, value: 125 }]);

describe('datapoints that say what their dollars are based on', () => {
  const published = (currency: string) => (currency === 'USD' ? DOLLAR_RATES : NO_VALUES);
  const balboas = { ...context(NO_VALUES, indices, 1), rateBasis: true };
  balboas.conversion = new Conversion(currencyRates('PAB', published, true), indices);
  const gourdes = { ...balboas, conversion: new Conversion(currencyRates('HTG', published, true), indices) };

  it('have it after all other members, and null without dollars', () => {
    const members = (of: PointContext) =>
      json(points, of).map((each) =>
        Object.entries(each as object)
          .slice(7)
          .flat(),
      );
    expect(members(balboas)).toEqual([
      ['comment', '', 'rate_basis', 'relation'],
      ['comment', '', 'rate_basis', 'relation'],
      ['comment', '', 'calculated', true, 'rate_basis', 'relation'],
      ['comment', '', 'calculated', true, 'partial', true, 'rate_basis', 'relation'],
      ['comment', 'on "offer", é', 'rate_basis', 'relation'],
      ['comment', '', 'calculated', true, 'rate_basis', 'relation'],
    ]);
    expect(members(gourdes)[0]).toEqual(['comment', '', 'rate_basis', null]);
    expect(json(points, { ...balboas, marks: false }).at(-1)).not.toHaveProperty('calculated');
  });

  it('have it in the last column', () => {
    expect(csv(points, balboas).split('\r\n')[0]).toBe('2024-03-04,daily,103,,false,82.4,103,false,relation');
    expect(csv(points, gourdes).split('\r\n')[0]).toBe('2024-03-04,daily,103,,false,82.4,,false,');
    expect(pointCells(derive(storedPoints(points)), balboas)[0]!.slice(-3)).toEqual([103, false, 'relation']);
    expect(pointCells(derive(storedPoints(points)), gourdes)[0]!.slice(-3)).toEqual([null, false, null]);
  });
});

describe('datapoints as JSON', () => {
  it('have the keys of the API in order, newest first, with marks where they are calculated or partial', () => {
    const writer = new ByteWriter();
    writeDatapoints(writer, derive(storedPoints(points)), context(rates, indices, 0.01));
    expect(writer.take().toString()).toBe(
      [
        '{"id":122373765,"price_value":103,"price_value_real":82.4,"price_value_dollar":4.12,"conversion_factor":0.01,"date":"2024-03-04","periodicity":"daily","comment":""}',
        '{"id":122373762,"price_value":101.5,"price_value_real":81.2,"price_value_dollar":4.06,"conversion_factor":0.01,"date":"2024-03-01","periodicity":"daily","comment":""}',
        '{"id":126568066,"price_value":101,"price_value_real":null,"price_value_dollar":5.05,"conversion_factor":0.01,"date":"2024-03-01","periodicity":"weekly","comment":"","calculated":true}',
        '{"id":130762370,"price_value":102.25,"price_value_real":81.8,"price_value_dollar":4.09,"conversion_factor":0.01,"date":"2024-03-01","periodicity":"monthly","comment":"","calculated":true,"partial":true}',
        '{"id":122373758,"price_value":100.5,"price_value_real":null,"price_value_dollar":5.025,"conversion_factor":0.01,"date":"2024-02-26","periodicity":"daily","comment":"on \\"offer\\", é"}',
        '{"id":130762341,"price_value":100.5,"price_value_real":null,"price_value_dollar":5.025,"conversion_factor":0.01,"date":"2024-02-01","periodicity":"monthly","comment":"","calculated":true}',
      ].join(','),
    );
  });

  it('have only the eight keys for clients of FPMA', () => {
    const monthly = json([point(MONTHLY, '2024-03-01', 5, { calculated: true })], {
      ...context(NO_VALUES, NO_VALUES, null),
      marks: false,
    });
    expect(monthly).toEqual([
      {
        id: 130762370,
        price_value: 5,
        price_value_real: null,
        price_value_dollar: null,
        conversion_factor: null,
        date: '2024-03-01',
        periodicity: 'monthly',
        comment: '',
      },
    ]);
  });

  it('are those of any series', async () => {
    await assertProperty(
      'datapoints as JSON',
      fc.property(anyPoints, fc.option(fc.constantFrom(0.01, 2.20462262, 1)), (stored, factor) => {
        const values = context(someValues(3), someValues(90), factor);
        const expected: unknown[] = [];
        newestFirst(derive(storedPoints(stored)), (served, index) => {
          const [at, value] = [served.days[index]!, served.values[index]!];
          const tuesday = at + ((12 - (at % 7)) % 7) - 3;
          const month = monthOf(served.period === WEEKLY ? tuesday : at);
          const hasValues = month % 5 !== 0;
          expected.push({
            id: (7 * 4 + served.period) * 4194304 + at,
            price_value: value,
            price_value_real: hasValues ? Number(((value * 100) / (90 + month / 7)).toPrecision(15)) : null,
            price_value_dollar: hasValues ? Number((value / (3 + month / 7)).toPrecision(15)) : null,
            conversion_factor: factor,
            date: isoFromDay(at),
            periodicity: PERIOD_NAMES[served.period],
            comment: served.comments?.[index] ?? '',
            ...(served.calculated ? { calculated: true } : {}),
            ...(served.isPartial(index) ? { partial: true } : {}),
          });
        });
        expect(json(stored, values)).toEqual(expected);
      }),
    );
  });
});

describe('datapoints as CSV', () => {
  it('are lines of the `prices` format', () => {
    expect(csv(points, context(rates, indices, 0.01), 'the series,')).toBe(
      [
        'the series,2024-03-04,daily,103,,false,82.4,4.12,false',
        'the series,2024-03-01,daily,101.5,,false,81.2,4.06,false',
        'the series,2024-03-01,weekly,101,,true,,5.05,false',
        'the series,2024-03-01,monthly,102.25,,true,81.8,4.09,true',
        'the series,2024-02-26,daily,100.5,"on ""offer"", é",false,,5.025,false',
        'the series,2024-02-01,monthly,100.5,,true,,5.025,false',
        '',
      ].join('\r\n'),
    );
  });

  it('escape a comment that a spreadsheet could take for a formula', () => {
    const text = csv(
      [point(MONTHLY, '2024-03-01', 5, { comment: '=1+1' })],
      context(NO_VALUES, NO_VALUES, null),
    );
    expect(parse(text, { columns: [...pricesCsvPointColumns] })).toEqual([
      {
        date: '2024-03-01',
        periodicity: 'monthly',
        price_value: '5',
        comment: "'=1+1",
        calculated: 'false',
        price_value_real: '',
        price_value_dollar: '',
        partial: 'false',
      },
    ]);
  });
});
