import type { Caller } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { MAX_REASON_LENGTH } from '../../ledger/changes/change-set.js';
import { Optional } from '../../platform/validation/field.js';
import { Text } from '../../platform/validation/fields.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import type { Author } from '../../reference/base/base-reference.service.js';
import type { DeskSession } from '../session/desk-session.js';

/** Who makes a change at the desk, for all services that write. */
export interface DeskAuthor extends Author {
  caller: Caller;
  requestId: string;
}

/** Why data are changed, as forms send it. */
class ReasonDto {
  @Optional(Text(MAX_REASON_LENGTH)) reason?: string;
}

/** The author of what a form changes. @throws ValidationError for the field `reason` */
export function deskAuthor(request: object, { caller }: DeskSession, form: URLSearchParams): DeskAuthor {
  const { id: requestId, commitDeadline: deadline } = infoOf(request);
  const { reason = '' } = validateBody(ReasonDto, { reason: form.get('reason') ?? '' });
  return { caller, requestId, reason, deadline };
}
