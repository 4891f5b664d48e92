import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, many, recordId } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { Alias } from '../base/alias.entity.js';
import { AliasDto, ALIASED_TABLES, aliasedTables } from './alias.dto.js';
import { ApiSchema } from '../../platform/validation/field.js';
import { Id } from '../../platform/validation/fields.js';
import { IntersectionType, RequiredType } from '../../platform/validation/mapped-types.js';
import { columnsOf } from '../../platform/formats/columns.js';

class WithId {
  @Id() id!: number;
}

/** An alias, as responses show it. */
@ApiSchema({ name: 'Alias' })
export class AliasRecord extends IntersectionType(WithId, RequiredType(AliasDto)) {}

/** The fields of a record as columns. */
export const aliasColumns = columnsOf(AliasRecord);

const aliasQuery = new QuerySchema({
  table: many(choice(ALIASED_TABLES), 'Only aliases of records of these tables.'),
  record_id: many(recordId, 'Only aliases of records with these ids.'),
  ...pageParameters,
});

export const aliasListQuery = listQuery(aliasQuery, aliasColumns);

export type AliasFilters = Omit<QueryValues<typeof aliasQuery.parameters>, 'page' | 'page_size'>;

/** The name in the database of a table with this name in addresses. */
export const tableName = (name: string): string =>
  aliasedTables.find((table) => table.name === name)!.statements.name;

/** An alias as responses show it. */
export function toRecord(alias: Alias): AliasRecord {
  const { id, table_name, record_id, name, iso3_country_code, admin_unit, admin_unit2 } = alias;
  const table = aliasedTables.find(({ statements }) => statements.name === table_name)!.name;
  return { id, table, record_id, name, iso3_country_code, admin_unit, admin_unit2 };
}
