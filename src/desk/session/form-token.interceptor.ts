import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, type Observable } from 'rxjs';
import { ProviderSignIn } from '../../auth/identity-provider/provider-sign-in.js';
import { Forbidden } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { chooseReadings } from '../layout/typed-numbers.js';
import { deskPage } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import { type DeskSession, sessionOf } from './desk-session.js';
import { FORM_TOKEN, isSameToken } from './form-tokens.js';
import { loginPage } from './login-page.js';
import { Redirection } from './redirection.js';
import { formPage, loginAddress } from './return-address.js';
import { UnsavedForms } from './unsaved-forms.js';

/** The form was not made in the session in which it is sent. */
class FormTokenMissing extends Forbidden {
  constructor(detail = deskTexts.error.formToken) {
    super(detail);
  }
}

/**
 * Requires the token of the session in everything that is sent to the desk: no other site knows it.
 * It is a field of the form; a route that reads its body itself has it in its address, as it has to
 * be known before the body is read. Without it no handler runs, and forms are shown again.
 */
@Injectable()
export class FormTokenInterceptor implements NestInterceptor {
  constructor(
    private readonly unsaved: UnsavedForms,
    private readonly provider: ProviderSignIn,
  ) {}

  /** @throws FormTokenMissing @throws Redirection to the login */
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<Request>();
    const info = infoOf(request);
    if (info.isRead) return next.handle();
    const session = sessionOf(request);
    if (session === null) return from([this.login(execution, request)]);
    const body = request.body as unknown;
    const form = body instanceof URLSearchParams ? body : null;
    const sent = form?.getAll(FORM_TOKEN) ?? info.query.all(FORM_TOKEN);
    if (sent.length === 1 && isSameToken(sent[0]!, session.formToken)) {
      if (form !== null) chooseReadings(form);
      return next.handle();
    }
    return from(this.again(execution, request, form, session));
  }

  /** The form again, where it may be shown. */
  private async again(
    execution: ExecutionContext,
    request: Request,
    form: URLSearchParams | null,
    session: DeskSession,
  ): Promise<Reply> {
    if (form === null || !this.unsaved.isShownAgain(execution, request)) throw new FormTokenMissing();
    if (this.unsaved.isOfOther(form, session)) throw new FormTokenMissing(deskTexts.error.otherAccount);
    return this.unsaved.show(execution, request, session);
  }

  /** The login, in which the form is kept. */
  private login(execution: ExecutionContext, request: Request): Reply {
    const kept = this.unsaved.seal(execution, request);
    if (kept === null) throw new Redirection(loginAddress(request));
    const form = { username: '', next: formPage(request), error: null, hasProvider: this.provider.isOn };
    return deskPage(loginPage({ ...form, kept: kept.sealed }), null, { status: 403 });
  }
}
