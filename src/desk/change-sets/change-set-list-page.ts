import { addressOf } from '../../web/address.js';
import { select } from '../../web/form.js';
import { html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { pageLinks } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { ChangeSetRecord } from '../../history/change-sets.js';
import type { Page } from '../../platform/listing/page.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { changeSetTexts as texts } from '../texts/change-sets.js';
import type { AffectedCounts } from './change-set-details.js';

/** Where change sets are. */
export const CHANGE_SETS = '/desk/change-sets';

/** What the list shows. */
interface ChangeSetListView {
  readonly page: Page<ChangeSetRecord>;
  readonly kind: string;
  readonly state: string;
  readonly authors: ReadonlyMap<number, string>;
  readonly affected: ReadonlyMap<number, AffectedCounts>;
}

export function changeSetListPage({ page, kind, state, authors, affected }: ChangeSetListView): DeskView {
  const rows = page.items.map((one) => {
    const { added = 0, changed = 0, removed = 0 } = affected.get(one.id) ?? {};
    return [
      html`<a href="${CHANGE_SETS}/${one.id}">${one.id}</a>`,
      texts.kinds[one.kind] ?? one.kind,
      instantOf(one.started_at),
      nameOf(authors.get(one.id) ?? '–'),
      stateText(one),
      nameOf([one.input, one.reason].filter((text) => text !== '').join(' – ')),
      wholeNumber(added),
      wholeNumber(changed),
      wholeNumber(removed),
    ];
  });
  const points = (which: 'added' | 'changed' | 'removed') => numberColumn(`${texts.points} ${texts[which]}`);
  const columns = [
    ...[texts.id, texts.kind, texts.began, texts.by, texts.state, texts.reason].map(textColumn),
    points('added'),
    points('changed'),
    points('removed'),
  ];
  const addressOfPage = (to: number | undefined) => addressOf(CHANGE_SETS, { kind, state, page: to });
  return {
    title: texts.title,
    section: CHANGE_SETS,
    main: html`<h1>${texts.title}</h1>
      <p>${texts.how}</p>
      <form class="row" method="get" action="${CHANGE_SETS}">
        ${select(texts.kind, 'kind', kind, [['', texts.any], ...Object.entries(texts.kinds)])}
        ${select(texts.state, 'state', state, [['', texts.any], ...Object.entries(texts.states)])}
        <button>${texts.filter}</button>
      </form>
      ${
        page.count === 0
          ? html`<p>${texts.none}</p>`
          : html`${table(texts.note(wholeNumber(page.count)), columns, rows)}
            ${pageLinks(page.page, page.lastPage, addressOfPage)}`
      }`,
  };
}

const stateText = ({ state, reverted_by: by }: ChangeSetRecord) =>
  by === null
    ? (texts.states[state] ?? state)
    : html`${texts.states[state] ?? state}, ${texts.revertedBy(by)}`;
