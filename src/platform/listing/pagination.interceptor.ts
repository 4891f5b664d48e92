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

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const info = infoOf(execution.switchToHttp().getRequest<object>());
    // The others are for programs, and have no place for it.
    if (info.format === 'xlsx') info.notice = (await this.notices?.current()) ?? null;
    return next.handle().pipe(map((value: unknown) => listReply(value, info)));
  }
}
