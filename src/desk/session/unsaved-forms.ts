import { type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { CookieSession } from '../../auth/sessions/cookie-sessions.js';
import { Forbidden } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { Reply } from '../../platform/http/reply.js';
import { QueryPairs } from '../../platform/validation/query-pairs.js';
import type { ParameterTable, QuerySchema, QueryValues } from '../../platform/validation/query-schema.js';
import { deskTexts } from '../texts.js';
import { attachSession, type DeskSession } from './desk-session.js';
import { requireDeskRole } from './desk-roles.js';
import { FORM_TOKEN, FormTokens } from './form-tokens.js';
import { isFromOwnOrigin } from './own-origin.js';
import { type KeptForm, SealedForms } from './sealed-forms.js';

/** Fields that come back blank: the token is made anew, and the secret of a harvest typed again. */
const NEVER_KEPT = [FORM_TOKEN, 'secret'];

const SHOWN_AGAIN = 'pds:desk-shown-again';

/** Nothing was done, and the form is shown again as it was typed. */
export class NotSaved extends Forbidden {
  constructor() {
    super(deskTexts.error.notSaved);
  }
}

/** A form that was sent without a valid token: to be shown, and not to be acted upon. */
export interface UnsavedForm {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryPairs;
  readonly form: URLSearchParams;
  /** The one that its page is for. */
  readonly session: DeskSession;
  readonly error: NotSaved;
  readonly signal: AbortSignal;
  /** The values of its query. @throws ValidationError */
  readonly valuesOf: <T extends ParameterTable>(schema: QuerySchema<T>) => QueryValues<T>;
}

type ShowAgain<C> = (controller: C, form: UnsavedForm) => Promise<Reply>;
type Handler = (...values: never[]) => unknown;
/** What a request was routed to. */
type RoutedHandler = Pick<ExecutionContext, 'getClass' | 'getHandler'>;

/**
 * How the form of a handler is shown again, with what was typed, where it was sent without a valid
 * token. Not for forms with a password or a file.
 */
export const ShownAgain = <C>(show: ShowAgain<C>) => SetMetadata(SHOWN_AGAIN, show);

/**
 * Shows forms again whose token is not valid: that of a session which has ended, in this tab or by
 * a sign-in in another one. Only to the account whose page the form is from, and only where a page
 * of this site has sent it: other sites must not fill in forms.
 */
@Injectable()
export class UnsavedForms {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly tokens: FormTokens,
    private readonly sealed: SealedForms,
  ) {}

  /** Whether a form may be shown again, whoever has sent it. */
  isShownAgain(target: RoutedHandler, request: Request): boolean {
    return (
      this.reflector.get<unknown>(SHOWN_AGAIN, target.getHandler()) !== undefined && isFromOwnOrigin(request)
    );
  }

  /** Whether a form is from a page of another account. */
  isOfOther(form: URLSearchParams, session: DeskSession): boolean {
    const account = this.tokens.readAccount(form.get(FORM_TOKEN) ?? '');
    return account !== null && account !== this.tokens.accountOf(session.caller);
  }

  /** Shows a form again in the session in which it was sent. */
  show(target: RoutedHandler, request: Request, session: DeskSession): Promise<Reply> {
    const { query } = infoOf(request);
    const form = request.body as URLSearchParams;
    const params = request.params as Record<string, string>;
    return this.page(routeOf(target), { params, query, form }, request, session);
  }

  /**
   * A form for the hidden field of the login; `sealed` is null where it is too large.
   * @returns null where it is not known whose it is
   */
  seal(target: RoutedHandler, request: Request): { sealed: string | null } | null {
    const fields = new URLSearchParams(request.body as URLSearchParams);
    const account = this.tokens.readAccount(fields.get(FORM_TOKEN) ?? '');
    if (account === null || fields.has('password')) return null;
    for (const name of NEVER_KEPT) fields.delete(name);
    const form = {
      account,
      route: routeOf(target),
      params: { ...(request.params as Record<string, string>) },
      query: infoOf(request).query.text,
      fields: fields.toString(),
    };
    return { sealed: this.sealed.seal(form) };
  }

  /** The form in a hidden field of the login; null where it is too old, or none. */
  open = (sealed: string | null): KeptForm | null => (sealed === null ? null : this.sealed.open(sealed));

  /**
   * Shows a form after the login.
   * @returns null to another account than its own
   * @throws Forbidden where the role of the account has changed
   */
  async showKept(kept: KeptForm, request: Request, { session, token }: SignedIn): Promise<Reply | null> {
    if (kept.account !== this.tokens.accountOf(session.caller)) return null;
    const attached = attachSession(request, session, this.tokens.tokenOf(token, session.caller));
    const form = new URLSearchParams(kept.fields);
    const sent = { params: kept.params, query: new QueryPairs(kept.query), form };
    const { body, options } = await this.page(kept.route, sent, request, attached);
    // The login itself was accepted.
    return Reply.text(body.bytes, body.type, { ...options, status: 200 });
  }

  private async page(
    [path, handlerName]: KeptForm['route'],
    sent: Pick<UnsavedForm, 'params' | 'query' | 'form'>,
    request: Request,
    session: DeskSession,
  ): Promise<Reply> {
    const controller = this.discovery
      .getControllers()
      .find(({ metatype }) => metatype !== null && pathOf(metatype) === path)!;
    const instance = controller.instance as Record<string, Handler>;
    const handler = instance[handlerName]!;
    requireDeskRole(this.reflector, [handler, controller.metatype as Type], session.caller);
    const { settings, signal } = infoOf(request);
    const show = this.reflector.get<ShowAgain<object>>(SHOWN_AGAIN, handler);
    const context = { now: settings.clock(), maxPageSize: settings.maxPageSize };
    const valuesOf: UnsavedForm['valuesOf'] = (schema) =>
      schema.parse(sent.query, { context, formats: [], onUnknown: () => undefined });
    return show(instance, { ...sent, session, error: new NotSaved(), signal, valuesOf });
  }
}

const pathOf = (controller: object) => Reflect.getMetadata(PATH_METADATA, controller) as string;

const routeOf = (target: RoutedHandler): KeptForm['route'] => [
  pathOf(target.getClass()),
  target.getHandler().name,
];

/** A session, and the token of its cookie. */
interface SignedIn {
  readonly session: CookieSession;
  readonly token: string;
}
