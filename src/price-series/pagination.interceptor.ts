import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { contextOf } from '../common/http/request-context.js';
import { envelopeAnswer } from '../common/pagination/envelope.js';
import { entriesJson } from './price-serie.view.js';
import { SeriesPage } from './series-page.js';

/** Turns a `SeriesPage` into `{count, next, previous, results}`; anything else passes unchanged. */
@Injectable()
export class PriceSeriesPaginationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = contextOf(context.switchToHttp().getRequest<object>());
    return next
      .handle()
      .pipe(
        map((value) =>
          value instanceof SeriesPage
            ? envelopeAnswer(value, request, (places) => entriesJson(value.catalogue, places))
            : value,
        ),
      );
  }
}
