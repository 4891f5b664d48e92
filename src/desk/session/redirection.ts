import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { toApiError } from '../../platform/errors/to-api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { Reply } from '../../platform/http/reply.js';
import { ReplyWriter } from '../../platform/http/reply-writer.js';

/** The caller is redirected to another page. */
export class Redirection extends Error {
  constructor(readonly address: string) {
    super('Redirecting');
    this.name = 'Redirection';
  }
}

/** Sends a visitor to another page, as after every form. @param address on this site */
export const redirectTo = (address: string): Reply =>
  Reply.empty({ status: 303, headers: { Location: address } });

/** The same for a form that acts once: its reply is stored with the key, which takes a body. */
export const storedRedirectTo = (address: string): Reply =>
  Reply.text('', 'text/plain; charset=utf-8', { status: 303, headers: { Location: address } });

/** Sends the redirections of guards, which cannot return a reply. */
@Catch(Redirection)
export class RedirectionFilter implements ExceptionFilter<Redirection> {
  constructor(private readonly replies: ReplyWriter) {}

  async catch({ address }: Redirection, host: ArgumentsHost): Promise<void> {
    const info = infoOf(host.switchToHttp().getRequest<object>());
    try {
      await this.replies.send(info, redirectTo(address), 303);
    } catch (error) {
      // Nest waits for no filter: nobody else would end the request.
      this.replies.problem(info, toApiError(error));
    }
  }
}
