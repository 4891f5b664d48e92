import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CookieSession } from '../../auth/sessions/cookie-sessions.js';

/** The session in which a page of the desk is opened or a form sent. */
export interface DeskSession extends CookieSession {
  /** What its forms have to send along as `form_token`. */
  formToken: string;
}

const SESSION = Symbol('desk session');
type Carrier = { [SESSION]?: DeskSession };

/** The session of a request that has passed the guard of the desk; null for all others. */
export const sessionOf = (request: object): DeskSession | null => (request as Carrier)[SESSION] ?? null;

/** Attaches the session to a request. @param formToken of its cookie */
export const attachSession = (request: object, session: CookieSession, formToken: string): DeskSession =>
  ((request as Carrier)[SESSION] = { ...session, formToken });

/** The session of a request to the desk. @throws Error where the guard of the desk has not run */
export function requireSession(request: object): DeskSession {
  const session = sessionOf(request);
  if (session === null) throw new Error('The session of a request needs a controller with @DeskPages().');
  return session;
}

/** Parameter decorator: the session, in which the account is. */
export const CurrentSession = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  requireSession(execution.switchToHttp().getRequest<object>()),
);
