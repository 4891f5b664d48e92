import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { readQuery } from '../../platform/http/request/request-query.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { CHECKED_BODY } from '../../platform/http/request/valid-body.js';
import { QUERY } from '../../platform/http/routes/route-decorators.js';
import { one, text } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { MAX_REASON_LENGTH } from './change-set.js';

/** The parameter `reason`, for writes that have parameters of their own. */
export const reasonParameter = one(
  text(MAX_REASON_LENGTH),
  'Why the data are changed. Everybody can read it in `ChangeSet/`.',
);

const query = new QuerySchema({ reason: reasonParameter });

const changeReason = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const context = contextOf(execution.switchToHttp().getRequest<object>());
  try {
    return readQuery(query, context).reason ?? '';
  } catch (error) {
    // The body's decorator reports it, together with what is wrong with the body.
    if (Reflect.hasMetadata(CHECKED_BODY, execution.getHandler())) return '';
    throw error;
  }
});

/** The reason of a write, from its query; empty if none is given. */
export function ChangeReason(): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) throw new Error('@ChangeReason() belongs to a parameter of a handler.');
    Reflect.defineMetadata(QUERY, query, (target as Record<string | symbol, object>)[key]!);
    changeReason()(target, key, index);
  };
}
