import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { infoOf, NOTICE_SOURCE, type NoticeSource } from '../../platform/http/request.js';
import { CacheControl, Formats } from '../../platform/http/routes.js';

/** Returns 404 where the pages are turned off, and notes what they all have to say. */
@Injectable()
export class ExplorerGuard implements CanActivate {
  constructor(
    private readonly environment: Environment,
    @Inject(NOTICE_SOURCE) private readonly notices: NoticeSource,
  ) {}

  /** @throws NotFound */
  async canActivate(execution: ExecutionContext): Promise<true> {
    if (!this.environment.explorer) throw new NotFound();
    infoOf(execution.switchToHttp().getRequest<object>()).notice = await this.notices.current();
    return true;
  }
}

/**
 * The routes of a controller reply with pages, which are kept until the data change and revalidated
 * by browsers: a correction shows at once.
 * @param cached `uncached` for pages that show more than the data: they are made for each request
 */
export const ExplorerPages = (cached: 'cached' | 'uncached' = 'cached') =>
  applyDecorators(
    UseGuards(ExplorerGuard),
    Formats('html'),
    CacheControl('revalidate'),
    ...(cached === 'cached' ? [CachedBy('series', 'references', 'rates', 'findings')] : []),
  );
