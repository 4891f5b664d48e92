import { html, type Html, nameOf } from '../../web/html.js';

import { table, textColumn } from '../../web/table.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { instantOf } from '../layout/instant.js';
import { deskTexts } from '../texts.js';
import { type AttributedState, MAX_STATES } from './record-histories.js';
import { shownValue } from './record-text.js';

const { tables: texts } = deskTexts;

/** What a record was, newest first: who has changed what, and why. */
export function historySection({ fields }: ReferenceTable, states: readonly AttributedState[]): Html {
  const columns = [texts.known, texts.by, texts.changeSet, texts.changes].map(textColumn);
  const rows = states.map((state, index) => [
    state.knownFrom === null ? texts.before : instantOf(state.knownFrom),
    state.by === null ? html`–` : nameOf(state.by),
    changeSetLink(state),
    changes([...fields.keys()], state, states[index + 1]),
  ]);
  return html`<section>
    <h2>${texts.history}</h2>
    ${table(texts.historyNote(MAX_STATES), columns, rows)}
  </section>`;
}

/** The change set that has created a state, with its reason. */
function changeSetLink({ changeSet }: AttributedState): Html {
  if (changeSet === null) return html`–`;
  const { id, kind, reason } = changeSet;
  return html`<a href="/desk/change-sets/${id}">${id}</a> ${pageTexts.changeKind(kind)}
    ${reason === '' ? null : html`: ${nameOf(reason)}`}`;
}

/** The fields that a change has changed, with both values. */
function changes(
  names: readonly string[],
  { values, version }: AttributedState,
  earlier: AttributedState | undefined,
): Html {
  if (earlier === undefined) return version === 1 ? html`${texts.created}` : html`–`;
  const changed = names.filter((name) => values[name] !== earlier.values[name]);
  if (changed.length === 0) return html`${texts.nothingVisible}`;
  const items = changed.map(
    (name) =>
      html`${texts.column(name)}: ${shownValue(earlier.values[name])} → ${shownValue(values[name])}<br />`,
  );
  return html`${items}`;
}
