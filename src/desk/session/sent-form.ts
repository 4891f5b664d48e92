import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { MAX_REASON_LENGTH } from '../../ledger/changes/change-set.js';
import type { Caller } from '../../platform/http/caller.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { Optional } from '../../platform/validation/field.js';
import { Text } from '../../platform/validation/fields.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import type { Author } from '../../reference/base/base-reference.service.js';
import { type DeskSession, requireSession } from './desk-session.js';

/** Who has sent a form, and until when what it asks for must be committed. */
interface Sender {
  readonly caller: Caller;
  readonly requestId: string;
  /** `performance.now()`. */
  readonly deadline: number;
}

/** Who makes a change at the desk, and why, for all services that write. */
export interface DeskAuthor extends Author {
  caller: Caller;
  requestId: string;
}

/** A form that was sent with the token of its session. */
export interface SentForm {
  readonly form: URLSearchParams;
  readonly session: DeskSession;
  readonly info: RequestInfo;
  readonly sender: Sender;
  /** The sender with the reason in the form. @throws ValidationError for the field `reason` */
  readonly requireAuthor: () => DeskAuthor;
}

/** Why data are changed, as forms send it. */
class ReasonDto {
  @Optional(Text(MAX_REASON_LENGTH)) reason?: string;
}

/** Parameter decorator: the form that was sent to a handler of a controller with `@DeskPages()`. */
export const Sent = createParamDecorator((_: unknown, execution: ExecutionContext): SentForm => {
  const request = execution.switchToHttp().getRequest<Request>();
  const form = request.body as URLSearchParams;
  const session = requireSession(request);
  const info = infoOf(request);
  const { caller } = session;
  const { id: requestId, commitDeadline: deadline } = info;
  const sender = { caller, requestId, deadline };
  const requireAuthor = (): DeskAuthor => {
    const { reason = '' } = validateBody(ReasonDto, { reason: form.get('reason') ?? '' });
    return { ...sender, reason };
  };
  return { form, session, info, sender, requireAuthor };
});
