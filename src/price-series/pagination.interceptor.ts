import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { contextOf } from '../common/http/request-context.js';
import { envelopeReply } from '../common/pagination/envelope.js';
import { entriesJson } from './price-serie.view.js';
import { SeriesPage } from './series-page.js';

/**
 * Serializes a `SeriesPage` as `{count, next, previous, results}`; any other value passes
 * unchanged.
 */
@Injectable()
export class PriceSeriesPaginationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = contextOf(context.switchToHttp().getRequest<object>());
    return next
      .handle()
      .pipe(
        map((value) =>
          value instanceof SeriesPage
            ? envelopeReply(value, request, (rows) => entriesJson(value.catalogue, rows))
            : value,
        ),
      );
  }
}
