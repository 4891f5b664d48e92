import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { timingSafeEqual } from 'node:crypto';
import type { Observable } from 'rxjs';
import { Forbidden } from '../../platform/errors/api-error.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { deskTexts } from '../texts.js';
import { sessionOf } from './desk-session.js';

/** The field of every form with the token of the session. */
export const FORM_TOKEN = 'form_token';

/** The form was not made in the session in which it is sent. */
export class FormTokenMissing extends Forbidden {
  constructor() {
    super(deskTexts.error.formToken);
  }
}

/**
 * Requires the token of the session in everything that is sent to the desk: no other site knows it.
 * It is a field of the form; a route that reads its body itself has it in its address, as it has to
 * be known before the body is read.
 */
@Injectable()
export class FormTokenInterceptor implements NestInterceptor {
  /** @throws FormTokenMissing */
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<Request>();
    const context = contextOf(request);
    if (!context.isRead) {
      const { body } = request as { body?: unknown };
      const sent = body instanceof URLSearchParams ? body.getAll(FORM_TOKEN) : context.query.all(FORM_TOKEN);
      if (sent.length !== 1 || !isEqual(sent[0]!, sessionOf(request)!.formToken))
        throw new FormTokenMissing();
    }
    return next.handle();
  }
}

/** In the same time wherever they differ. */
function isEqual(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
