import { hidden } from '../../../web/form.js';
import { type Html, html, nameOf } from '../../../web/html.js';
import type { SeriesComparison } from '../../../import/pipeline/series-comparison.js';
import { type ApiError, Duplicate } from '../../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../../layout/desk-form.js';
import type { DeskView } from '../../layout/desk-page.js';
import { mappingAddress } from '../../mappings/mapping-address.js';
import type { DeskSession } from '../../session/desk-session.js';
import { mappingTexts } from '../../texts/mapping.js';
import { inWordsOfForm } from '../option-fields.js';
import { UPLOAD } from '../upload-form.js';
import type { MappingReplacement, UploadState } from '../upload-state.js';

const texts = mappingTexts.save;

/** Where the mapping of an upload is saved. */
export const saveAddress = (id: string): string => `${UPLOAD}/${id}/mapping/save`;

/** What the page shows on which the mapping of an upload is saved. */
interface SaveView {
  readonly upload: UploadState;
  /** Null where no stored mapping is to be replaced. */
  readonly replacement: MappingReplacement | null;
  /** As sent before; null where nothing was sent. */
  readonly form: URLSearchParams | null;
  readonly error: ApiError | null;
  /** Sent along, so that a mapping is stored once however often the form is sent. */
  readonly key: string;
  readonly session: DeskSession;
}

/** The page on which the mapping of an upload is saved. */
export function savePage(view: SaveView): DeskView {
  const { upload, replacement, error, session } = view;
  const title = texts.title(upload.name);
  const existing = error instanceof Duplicate ? error.extra.existing : undefined;
  return {
    title,
    section: UPLOAD,
    main: html`<p class="path"><a href="${UPLOAD}/${upload.id}">${nameOf(upload.name)}</a></p>
      <h1>${title}</h1>
      ${formErrors(error, ['name', 'title', 'reason'])}
      ${typeof existing === 'string' ? html`<p><a href="${existing}">${texts.show}</a></p>` : null}
      ${replacement === null ? html`<p>${texts.how}</p>` : replacementNotes(replacement)}
      ${deskForm({ action: saveAddress(upload.id), fields: saveFields(view), submit: submitOf(view) }, session)}`,
  };
}

const isReplaceable = (replacement: MappingReplacement | null): replacement is MappingReplacement =>
  replacement !== null && replacement.error === null;

const submitOf = ({ replacement }: SaveView): string =>
  isReplaceable(replacement) ? texts.submitReplace(replacement.version + 1) : texts.submit;

function saveFields({ upload, replacement, form, error, key }: SaveView): Html {
  const mapping = replacement?.mapping ?? upload.mapping!;
  const errors = error?.errors ?? [];
  const version = isReplaceable(replacement) ? String(replacement.version) : undefined;
  const value = (name: string, otherwise = '') => form?.get(name) ?? otherwise;
  return html`${hidden('key', form?.get('key') ?? key)} ${hidden('version', version)}
  ${inputField({ label: texts.name, name: 'name', value: value('name', mapping.name), required: true, hint: mappingTexts.nameHint }, errors)}
  ${inputField({ label: texts.what, name: 'title', value: value('title', mapping.title), hint: texts.whatHint }, errors)}
  ${inputField({ label: texts.reason, name: 'reason', value: value('reason', replacement?.reason) }, errors)}`;
}

/** What is stored, and which series a file such as this one would begin anew. */
function replacementNotes({ mapping, version, isChanged, comparison, error }: MappingReplacement): Html {
  return html`<p>
      <strong>${texts.exists(mapping.name, version)}</strong>
      <a href="${mappingAddress(mapping.name)}">${texts.show}</a>
    </p>
    ${isChanged ? html`<div class="error" role="alert"><p>${texts.changed}</p></div>` : null}
    ${
      error === null
        ? null
        : html`<div class="error" role="alert">
            <p>${texts.notCompared} ${inWordsOfForm(error).text}</p>
          </div>`
    }
    ${comparison === null ? null : comparisonNotes(comparison)}`;
}

function comparisonNotes({ ended, firstEnded, begun, failure }: SeriesComparison): Html {
  const more = ended - firstEnded.length;
  return html`${
    failure === null ? null : html`<p><strong>${texts.unread}</strong> ${inWordsOfForm(failure).text}</p>`
  }
  ${
    ended === 0
      ? failure === null
        ? html`<p>${texts.noneEnded}</p>`
        : null
      : html`<section>
          <h2>${texts.ended(ended)}</h2>
          <p>${texts.endedNote}</p>
          <ul>
            ${firstEnded.map(
              ({ uuid, key: [, , , market, commodity, priceType, source, unit, currency] }) =>
                html`<li>
                  <a href="/desk/series/${uuid}">${nameOf(commodity)}, ${nameOf(market)}</a>:
                  ${nameOf(priceType)}, ${nameOf(currency)}/${nameOf(unit)}, ${nameOf(source)}
                </li>`,
            )}
            ${more === 0 ? null : html`<li>${texts.more(more)}</li>`}
          </ul>
        </section>`
  }
  ${begun === 0 ? null : html`<p>${texts.begun(begun)}</p>`}`;
}
