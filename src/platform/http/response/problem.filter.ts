import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Optional } from '@nestjs/common';
import { infoOf } from '../request/request-info.js';
import { ReplyWriter } from './reply-writer.js';
import { ERROR_TRANSLATOR, type ErrorTranslator, toApiError } from '../../errors/to-api-error.js';

/** Sends every error of a handler, guard, pipe or middleware as problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly replies: ReplyWriter,
    @Optional() @Inject(ERROR_TRANSLATOR) private readonly translate?: ErrorTranslator,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const info = infoOf(host.switchToHttp().getRequest<object>());
    this.replies.problem(info, toApiError(this.translate?.(exception) ?? exception));
  }
}
