import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { contextOf } from '../http/request-context.js';
import { envelopeAnswer } from './envelope.js';
import { Page } from './page.js';

/** Turns a `Page` into `{count, next, previous, results}`; anything else passes unchanged. */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = contextOf(context.switchToHttp().getRequest<object>());
    return next
      .handle()
      .pipe(map((value) => (value instanceof Page ? envelopeAnswer(value, request) : value)));
  }
}
