import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { ReplyWriter } from '../http/reply-writer.js';
import { contextOf } from '../http/request-context.js';
import { type ErrorTranslator, toApiError } from './to-api-error.js';

/** Answers every error of a handler, guard or pipe with problem details. */
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
