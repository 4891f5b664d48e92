import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { contextOf } from '../http/request/request-context.js';
import { listReply } from './list-reply.js';

/**
 * Makes the reply of a list: its envelope with links to other pages, in the requested format,
 * streamed where it is long. Bound by every module with lists; other values pass unchanged.
 */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context = contextOf(execution.switchToHttp().getRequest<object>());
    return next.handle().pipe(map((value: unknown) => listReply(value, context)));
  }
}
