import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { infoOf, NOTICE_SOURCE, type NoticeSource } from '../http/request.js';
import { listReply } from './list-reply.js';

/**
 * Makes the reply of a list: its envelope with links to other pages, in the requested format,
 * streamed where it is long. Bound by every module with lists; other values pass unchanged.
 */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(@Optional() @Inject(NOTICE_SOURCE) private readonly notices?: NoticeSource) {}

  intercept(
    execution: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const info = infoOf(execution.switchToHttp().getRequest<object>());
    const replies = () => next.handle().pipe(map((value: unknown) => listReply(value, info)));
    // The others are for programs, and have no place for it.
    if (info.format !== 'xlsx' || this.notices === undefined) return replies();
    return this.notices.current().then((notice) => {
      info.notice = notice;
      return replies();
    });
  }
}
