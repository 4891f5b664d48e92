import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { ReplyWriter } from '../http/reply-writer.js';
import { contextOf } from '../http/request-context.js';
import { type ErrorTranslator, toApiError } from './to-api-error.js';

/** Turns every error of a handler, guard or pipe into problem details (RFC 9457). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly writer: ReplyWriter,
    private readonly translate: ErrorTranslator,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const context = contextOf(host.getArgByIndex<object>(0));
    this.writer.problem(context, toApiError(this.translate(exception)));
  }
}
