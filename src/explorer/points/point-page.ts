import { isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { weekOf } from '../../price-series/calendar.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { exact, monthText } from '../../web/numbers.js';
import { addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import type { PageContext, PageView } from '../layout/page.js';
import { amountOf, seriesHeading, seriesPath, seriesTitle } from '../series/series-names.js';
import { texts } from '../texts.js';
import { calculation, givenNumber, resultNumber } from './point-calculation.js';
import { pointCorrections, pointFindings, pointVersions } from './point-history.js';
import { apiPointAddress, pointAddress, priceAddress } from './point-state.js';
import type { ExplainedPoint, PointView } from './point-view.js';

const words = texts.points;

/** The page of a price: what it was made of, what looks wrong with it, and what it was before. */
export function pricePointPage(view: PointView, context: PageContext): PageView {
  const { state, entry, source, point, revision, findings } = view;
  const { asOf } = state;
  const name = seriesTitle(entry);
  const title = headingOf(view);
  const sentence = sentenceOf(view);
  const address = pointAddress(state);
  return {
    title: `${title}: ${name}`,
    description: `${name}. ${sentence}`,
    address,
    main: html`${seriesPath(
        entry,
        asOf,
        html`<a href="${addressOf(`/series/${state.uuid}`, { periodicity: state.periodicity, as_of: asOf })}"
          >${texts.points.series}</a
        >`,
      )}
      <h1>${title}: ${seriesHeading(entry)}</h1>
      <p>${point === null ? html`<strong>${sentence}</strong>` : html`${sentence} ${standsFor(view)}`}</p>
      ${asOf === undefined ? null : asOfNote(pointAddress({ ...state, asOf: undefined }), revision)}
      ${
        point === null
          ? null
          : html`${values(view, point)}
            ${point.comment !== '' && html`<p>${words.comment}: ${nameOf(point.comment)}</p>`}
            ${calculation(view, point)}`
      }
      ${findings === null || (point === null && findings.length === 0) ? null : pointFindings(view, findings)}
      ${pointCorrections(view)} ${pointVersions(view)} ${neighbours(view)}
      ${dataSection(
        context.origin,
        dataLinks(view),
        citeLink(
          context,
          pointAddress({ ...state, asOf: asOf ?? `r${revision}` }),
          revision,
          `${source.name}: ${name}, ${state.date}`,
        ),
      )}`,
  };
}

const headingOf = ({ state: { periodicity, date }, day }: PointView): string =>
  words.heading[periodicity](periodicity === 'monthly' ? monthText(monthOf(day)) : date);

/** The price in words; that it was removed where there is none. */
function sentenceOf({ point, entry, unit, state: { periodicity, date }, day }: PointView): string {
  if (point === null) return words.removed;
  const { when, costs } = texts.seriesPage;
  const price = `${entry.currency} ${givenNumber(point.price_value)} ${texts.perAmount} ${unit.name}`;
  const time = when[periodicity](periodicity === 'monthly' ? monthText(monthOf(day)) : date);
  return `${costs(price, time, `${entry.price_type.toLowerCase()}, ${entry.market}`)}.`;
}

function standsFor({ state: { periodicity }, day }: PointView): string {
  const friday = weekOf(day);
  return words.standsFor[periodicity](isoFromDay(friday - 6), isoFromDay(friday));
}

/** The price in each money and amount. */
function values(view: PointView, point: ExplainedPoint): Html {
  const { entry, unit, versions } = view;
  const { currency } = entry;
  const { explain, price_value, price_value_real, price_value_dollar, conversion_factor: factor } = point;
  const per = `${texts.perAmount} ${unit.name}`;
  const base = explain.index?.link?.base_period ?? explain.index?.base_period;
  const fact = (label: string, value: Html, note: string) =>
    html`<li>${label}<strong>${value}</strong><span class="muted">${note}</span></li>`;
  const { measure, money } = texts;
  return html`<ul class="facts">
    ${fact(versions === null ? words.price : measure.nominal, exact(price_value, givenNumber), `${currency} ${per}`)}
    ${
      factor !== null &&
      factor !== 1 &&
      fact(
        words.perBase(amountOf('base', unit)),
        exact(price_value * factor, resultNumber),
        `${currency} ${texts.perAmount} ${amountOf('base', unit)}`,
      )
    }
    ${fact(
      measure.real,
      exact(price_value_real, resultNumber),
      base === undefined ? texts.reason.no_cpi : `${currency} ${per}, ${texts.indexBase(base)}`,
    )}
    ${fact(
      measure.usd,
      exact(price_value_dollar, resultNumber),
      price_value_dollar === null ? texts.reason.no_rate : `${money.usd()} ${per}`,
    )}
  </ul>`;
}

/** The prices before and after; null of a series with one. */
function neighbours({ state, previous, next }: PointView): Html | null {
  if (previous === null && next === null) return null;
  const link = (date: string | null, text: (date: string) => string) =>
    date !== null && html`<a href="${pointAddress({ ...state, date })}">${text(date)}</a>`;
  return html`<nav class="pages" aria-label="${words.neighbours}">
    ${link(previous, words.before)} ${link(next, words.after)}
  </nav>`;
}

/** The same in the API. */
function dataLinks({ state, id, point, versions }: PointView): DataLink[] {
  const { asOf: as_of } = state;
  return [
    ...(point === null
      ? []
      : [
          { label: words.dataPrice, address: (format) => priceAddress(state, format) } satisfies DataLink,
          {
            label: words.dataExplained,
            formats: ['json'],
            address: () => apiPointAddress(state, id, '', { explain: true, as_of }),
          } satisfies DataLink,
        ]),
    ...(versions === null
      ? []
      : [
          {
            label: words.dataVersions,
            address: (format) => apiPointAddress(state, id, 'versions/', { format }),
          } satisfies DataLink,
        ]),
  ];
}
