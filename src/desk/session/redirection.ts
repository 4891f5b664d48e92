import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { toApiError } from '../../platform/errors/to-api-error.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { Reply } from '../../platform/http/response/reply.js';
import { ReplyWriter } from '../../platform/http/response/reply-writer.js';

/** Another page is to be opened first. */
export class Redirection extends Error {
  constructor(readonly address: string) {
    super('Another page is to be opened.');
    this.name = 'Redirection';
  }
}

/** Sends a visitor to another page, as after every form. @param address on this site */
export const redirectTo = (address: string): Reply =>
  Reply.empty({ status: 303, headers: { Location: address } });

/** Sends the redirections of guards, which cannot return a reply. */
@Catch(Redirection)
export class RedirectionFilter implements ExceptionFilter<Redirection> {
  constructor(private readonly replies: ReplyWriter) {}

  async catch({ address }: Redirection, host: ArgumentsHost): Promise<void> {
    const context = contextOf(host.switchToHttp().getRequest<object>());
    try {
      await this.replies.send(context, redirectTo(address), 303);
    } catch (error) {
      // Nest waits for no filter: nobody else would end the request.
      this.replies.problem(context, toApiError(error));
    }
  }
}
