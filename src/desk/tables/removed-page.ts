import { html } from '../../web/html.js';
import { NotFound } from '../../platform/errors/api-error.js';
import type { Reply } from '../../platform/http/reply.js';
import { deskPage, type DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskTexts } from '../texts.js';
import { pathTo } from './record-page.js';
import type { RemovedRecord } from './removed-records.js';
import { recordAddress } from './table-address.js';

const { gone: texts, ...tablesTexts } = deskTexts.tables;

/**
 * The reply to a form about a record that somebody else has removed meanwhile: 409, in words.
 * @throws NotFound where nobody has
 */
export function removedReply(table: string, removed: RemovedRecord | null, session: DeskSession): Reply {
  if (removed === null) throw new NotFound('There is no such record.');
  return deskPage(removedPage(table, removed), session, { status: 409 });
}

function removedPage(table: string, { mergedInto, at, by }: RemovedRecord): DeskView {
  const title = texts.title(tablesTexts.one(table));
  const when = at.slice(0, 16).replace('T', ' ');
  return {
    title,
    section: '/desk/tables',
    main: html`${pathTo(table)}
      <h1>${title}</h1>
      <div class="error" role="alert">
        <p>
          ${mergedInto === null ? texts.removed(when, by ?? '–') : texts.merged(when, by ?? '–')}
          ${texts.nothingDone}
        </p>
      </div>
      ${mergedInto === null ? null : html`<p><a href="${recordAddress(table, mergedInto)}">${texts.open}</a></p>`}`,
  };
}
