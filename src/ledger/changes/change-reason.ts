import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { CHECKED_BODY, readQuery } from '../../platform/http/params.js';
import { infoOf } from '../../platform/http/request.js';
import { QUERY } from '../../platform/http/routes.js';
import { flag, one, text } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { MAX_REASON_LENGTH } from './change-set.js';

/** The parameter `reason`, for writes that have parameters of their own. */
export const reasonParameter = one(
  text(MAX_REASON_LENGTH),
  'Why the data are changed. Everybody can read it in `ChangeSet/`.',
);

/** The parameters of operations that can be tried out: whether to store nothing, and the reason. */
const actParameters = {
  dry_run: one(flag, 'Tell what would be changed, and store nothing.'),
  reason: reasonParameter,
};

type WriteQuery = Partial<QueryValues<typeof actParameters>>;

const reasonQuery = new QuerySchema({ reason: reasonParameter });
const actQuery = new QuerySchema(actParameters);

const writeQuery = createParamDecorator((schema: QuerySchema, execution: ExecutionContext): WriteQuery => {
  const info = infoOf(execution.switchToHttp().getRequest<object>());
  try {
    return readQuery(schema, info);
  } catch (error) {
    // The body's decorator reports it, together with what is wrong with the body.
    if (Reflect.hasMetadata(CHECKED_BODY, execution.getHandler())) return {};
    throw error;
  }
});

/** A parameter of a handler that is made of its query. */
const ofQuery = <T>(schema: QuerySchema, take: (query: WriteQuery) => T): ParameterDecorator => {
  const pipe = { transform: take };
  return (target, key, index) => {
    if (key === undefined) throw new Error('This decorator belongs to a parameter of a handler.');
    Reflect.defineMetadata(QUERY, schema, (target as Record<string | symbol, object>)[key]!);
    writeQuery(schema, pipe)(target, key, index);
  };
};

/** The reason of a write, from its query; empty if none is given. */
export const ChangeReason = () => ofQuery(reasonQuery, ({ reason = '' }) => reason);

/** What the query of an operation says: why, and whether to store nothing. */
export interface OperationOptions {
  reason: string;
  dryRun: boolean;
}

/** The options of an operation that can be tried out with `dry_run=true`. */
export const OperationQuery = () =>
  ofQuery(actQuery, ({ reason = '', dry_run = false }): OperationOptions => ({ reason, dryRun: dry_run }));
