import { monthOf } from '../../lib/dates/calendar-date.js';
import type { StoredPointPart } from '../../prices/explain/stored-parts.js';
import type { RateExplanation } from '../../prices/explain/point-explanation.js';
import { dayOfConversion } from '../../prices/derive/conversion.js';
import { html, type Html } from '../../web/html.js';
import { columnFormat, dateOf, exact, monthText, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import { pointAddress } from './point-state.js';
import type { ExplainedPoint, PointView } from './point-view.js';

const words = texts.points;

const givenFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 10 });
const resultFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });

/** A published number in a sentence, with all digits that it is likely to have. */
export const givenNumber = (value: number): string => givenFormat.format(value);
/** A calculated number in a sentence. */
export const resultNumber = (value: number): string => resultFormat.format(value);

/** The month whose rate and index a price is converted with, in words. */
const conversionMonth = ({ period, day }: PointView): string =>
  monthText(monthOf(dayOfConversion(period, day)));

/** What a price was made of, as the API explains it, in words. */
export const calculation = (view: PointView, point: ExplainedPoint): Html =>
  html`<section>
    <h2>${words.calculation}</h2>
    ${nominal(view, point)}
    <h3>${words.dollars.title}</h3>
    ${dollars(view, point)}
    <h3>${words.reals.title}</h3>
    ${real(view, point)}
    <p class="muted">${words.noCarry}</p>
  </section>`;

function nominal(view: PointView, point: ExplainedPoint): Html {
  const { entry, corrections } = view;
  const { status = 'observed' } = entry;
  const parts = point.explain.stored_points;
  const [first] = parts;
  const notes = [
    ...(point.partial === true ? [words.partial(parts.length)] : []),
    ...(status === 'observed' ? [] : [words.notObserved[status]]),
  ];
  const isCorrected = corrections.some(({ state, value }) => state === 'standing' && value !== null);
  const said = html`${notes.map((note) => html`<p>${note}</p>`)}`;
  if (first === undefined) return said;
  if (first.periodicity !== point.periodicity || parts.length > 1)
    return html`<p>
        ${
          parts.length === 1
            ? words.single[first.periodicity]
            : words.mean[first.periodicity](wholeNumber(parts.length))
        }
      </p>
      ${said} ${partsTable(view, parts)}`;
  const stored = isCorrected
    ? words.corrected
    : point.calculated === true
      ? words.ofSource(entry.source)
      : words.stored(entry.source);
  return html`<p>${stored}</p>
    ${first.factor !== 1 && html`<p>${words.scaled(givenNumber(first.price_value), givenNumber(first.factor))}</p>`}
    ${said}`;
}

/** The stored prices whose mean a price is. */
function partsTable({ state }: PointView, parts: readonly StoredPointPart[]): Html {
  const price = columnFormat(parts.map(({ price_value }) => price_value));
  const hasFactor = parts.some(({ factor }) => factor !== 1);
  const rows = parts.map(({ date, periodicity, price_value, factor }) => [
    html`<a href="${pointAddress({ ...state, periodicity, date })}">${dateOf(date)}</a>`,
    exact(price_value, price),
    ...(hasFactor ? [exact(factor, givenNumber)] : []),
  ]);
  const columns = [
    textColumn(texts.date),
    numberColumn(words.price),
    ...(hasFactor ? [numberColumn(words.factor)] : []),
  ];
  return table(words.parts, columns, rows);
}

function dollars(view: PointView, point: ExplainedPoint): Html {
  const { entry, basis } = view;
  const { currency } = entry;
  const { exchange_rate: rate } = point.explain;
  const { dollars: said } = words;
  const month = conversionMonth(view);
  if (rate === null || point.price_value_dollar === null)
    return html`<p>${basis === 'unclear' ? said.unclear(currency) : said.none(currency, month)}</p>`;
  if (currency === 'USD') return html`<p>${said.isDollar}</p>`;
  const price = `${currency} ${givenNumber(point.price_value)}`;
  return html`<p>
      ${said.published(price, resultNumber(rate.rate), resultNumber(point.price_value_dollar))}
      ${rateText(rate, currency, month)}
    </p>
    ${rate.rows.length > 1 && ratesTable(rate)}`;
}

/** Where a rate is from: whose, of which month, by which law. */
function rateText(
  { rate, rows, units, currency: of, reference }: RateExplanation,
  currency: string,
  month: string,
) {
  const { dollars: said } = words;
  const published = rate / units;
  const law = reference === null ? '' : said.law(givenNumber(units), of, resultNumber(published), reference);
  const sources = [...new Set(rows.map(({ source }) => source || said.unknownSource))].join(', ');
  const whose =
    rows.length === 0
      ? '.'
      : rows[0]!.period === 'monthly'
        ? said.monthly(sources)
        : said.daily(rows.length, sources);
  return `${said.rate(currency, resultNumber(rate), month)}${law}${whose}`;
}

function ratesTable({ rows }: RateExplanation): Html {
  const format = columnFormat(rows.map(({ rate }) => rate));
  const columns = [textColumn(texts.date), numberColumn(words.dollars.rateColumn), textColumn(texts.source)];
  return html`<details>
    <summary>${words.dollars.rates}</summary>
    ${table(
      words.dollars.rates,
      columns,
      rows.map(({ date, rate, source }) => [dateOf(date), exact(rate, format), source]),
    )}
  </details>`;
}

function real(view: PointView, point: ExplainedPoint): Html {
  const { entry } = view;
  const { index } = point.explain;
  const { reals: said } = words;
  const country = entry.country_name || entry.iso3_country_code;
  const month = conversionMonth(view);
  if (index === null || point.price_value_real === null) return html`<p>${said.none(country, month)}</p>`;
  const { value, base_period, source, link } = index;
  const price = `${entry.currency} ${givenNumber(point.price_value)}`;
  const divisor = link === null ? resultNumber(value) : resultNumber(value * link.factor);
  const whose = source || words.dollars.unknownSource;
  return html`<p>
    ${said.value(price, divisor, `${entry.currency} ${resultNumber(point.price_value_real)}`)}
    ${said.index(resultNumber(value), country, month, base_period, whose)}
    ${
      link !== null &&
      said.link(
        resultNumber(link.factor),
        link.base_period,
        wholeNumber(link.months.n),
        link.months.first.slice(0, 7),
        link.months.last.slice(0, 7),
      )
    }
  </p>`;
}
