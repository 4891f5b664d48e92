import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { hidden } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import { MAX_COMPARED_SERIES } from '../compare/compare-view.js';
import { texts } from '../texts.js';
import type { BrowseState } from './browse-state.js';

/** The id of the form whose buttons tick series; they stand in the table, outside of it. */
const TICKS_FORM = 'ticks';

/** What is ticked, and whether one more was asked for. */
export interface Ticks {
  /** Uuids of series, at most as many as can be compared. */
  readonly uuids: readonly string[];
  readonly isFull: boolean;
}

/**
 * The series that are ticked after one more has been ticked or unticked.
 * @param before those before; what is no series of the state counts nothing
 */
export function ticksOf(
  catalogue: CatalogueSnapshot,
  before: readonly string[],
  tick: string | undefined,
): Ticks {
  const isTicked = tick !== undefined && before.includes(tick);
  const wanted = isTicked ? before.filter((uuid) => uuid !== tick) : [...before, ...(tick ? [tick] : [])];
  const known = [...new Set(wanted)].filter((uuid) => catalogue.find(uuid) !== null);
  return { uuids: known.slice(0, MAX_COMPARED_SERIES), isFull: known.length > MAX_COMPARED_SERIES };
}

/** The button in a row that ticks its series, or unticks it. */
export const tickButton = (uuid: string, { uuids }: Ticks, name: string): Html =>
  html`<button
    class="tick"
    form="${TICKS_FORM}"
    name="tick"
    value="${uuid}"
    aria-pressed="${String(uuids.includes(uuid))}"
    aria-label="${texts.browse.compareOne(name)}"
  ></button>`;

/** What is ticked, which stays in view while the table is read. */
export function compareBar(
  { uuids, isFull }: Ticks,
  state: BrowseState,
  page: number,
  catalogue: CatalogueSnapshot,
): Html {
  const ticks = html`<form id="${TICKS_FORM}" method="get" action="/browse#series">
    ${state.kept([]).map(([name, value]) => hidden(name, value))}
    ${hidden('page', page === 1 ? undefined : String(page))}
  </form>`;
  if (uuids.length === 0)
    return html`${ticks}
      <p class="muted">${texts.browse.compareNote(MAX_COMPARED_SERIES)}</p>`;
  const names = uuids.map((uuid) => {
    const { commodity, market } = catalogue.seriesAt(catalogue.find(uuid)!);
    const name = `${commodity.name}, ${market.name}`;
    return html`<li>${tickButton(uuid, { uuids, isFull }, name)} ${name}</li>`;
  });
  return html`${ticks}
    <form class="compare-bar" method="get" action="/compare">
      ${hidden('uuids', uuids.join(','))} ${hidden('as_of', state.get('as_of') || undefined)}
      ${
        uuids.length < MAX_COMPARED_SERIES
          ? null
          : html`<p role="status">
              ${isFull ? texts.browse.tooMany(MAX_COMPARED_SERIES) : texts.browse.full(MAX_COMPARED_SERIES)}
            </p>`
      }
      <button>${texts.browse.compareTicked(uuids.length)}</button>
      <details>
        <summary>${texts.browse.ticked}</summary>
        <ul class="plain">
          ${names}
        </ul>
      </details>
    </form>`;
}
