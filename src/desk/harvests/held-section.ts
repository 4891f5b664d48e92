import { html, type Html } from '../../web/html.js';
import type { HarvestRunRecord } from '../../harvests/runs/harvest-run.dto.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { megabytes } from '../texts/upload.js';
import { reportFacts } from '../upload/report-facts.js';
import { runAddress } from './harvest-address.js';

/** A run that is held, with the report of its dry run. */
export interface HeldView {
  readonly run: HarvestRunRecord;
  readonly report: ImportReport;
}

/** What is decided of a run that is held. */
type Decision = 'import' | 'dismiss';

/** A form of the page as it was sent, and why it was not accepted. */
export interface SentHarvestForm {
  readonly kind: 'run' | 'enabled' | 'remove' | Decision;
  /** The run that it decides of. */
  readonly run?: number;
  /** Null where it has to be looked at again as it is now. */
  readonly form: URLSearchParams | null;
  readonly error: ApiError;
}

/** Why the file of a run is held, what it has, and what can be done with it. */
export function heldSection(
  harvest: number,
  { run, report }: HeldView,
  sent: SentHarvestForm | null,
  session: DeskSession,
): Html {
  const { id, started_at: startedAt, held, bytes, error } = run;
  const address = runAddress(harvest, id);
  return html`<section id="held">
    <h2>${texts.heldTitle}</h2>
    <p>${texts.heldOf} ${startedAt && instantOf(startedAt)} UTC. ${texts.heldNote}</p>
    ${error === '' ? null : html`<p class="error">${error}</p>`}
    <h3>${texts.reasons}</h3>
    <ul>
      ${held.map(({ detail }) => html`<li>${detail}</li>`)}
    </ul>
    <p><a href="${address}/file" download>${texts.fileLink}</a> (${bytes && megabytes(bytes)})</p>
    <h3>${texts.dryRun}</h3>
    ${reportFacts(report)}
    <div class="actions">
      ${decisionForm('import', texts.approve, texts.approveHow, { address, id, sent, session })}
      ${decisionForm('dismiss', texts.dismiss, texts.dismissHow, { address, id, sent, session })}
    </div>
  </section>`;
}

interface DecisionForm {
  readonly address: string;
  /** Of the run. */
  readonly id: number;
  readonly sent: SentHarvestForm | null;
  readonly session: DeskSession;
}

function decisionForm(
  kind: Decision,
  submit: string,
  how: string,
  { address, id, sent, session }: DecisionForm,
): Html {
  const own = sent?.kind === kind && sent.run === id ? sent : null;
  const reason = {
    label: texts.reason,
    name: 'reason',
    value: own?.form?.get('reason') ?? '',
    required: kind === 'dismiss',
    hint: texts.reasonHint,
  };
  return html`<section>
    <h3>${submit}</h3>
    ${formErrors(own?.error ?? null, ['reason'])}
    ${deskForm(
      {
        action: `${address}/${kind}`,
        fields: html`<p class="muted">${how}</p>
          ${inputField(reason, own?.error.errors ?? [])}`,
        submit,
      },
      session,
    )}
  </section>`;
}
