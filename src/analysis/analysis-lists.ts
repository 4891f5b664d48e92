import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { ApiTags } from '../platform/http/api-docs.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';

/** The routes of a controller reply with lists of what is calculated from prices. */
export const AnalysisLists = () =>
  applyDecorators(
    ApiTags('Analysis'),
    UseInterceptors(PaginationInterceptor),
    ListFormats(),
    CacheControl('minute'),
    CachedBy('series', 'references', 'rates'),
  );
