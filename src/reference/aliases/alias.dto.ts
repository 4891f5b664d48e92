import type { Violation } from '../../platform/errors/api-error.js';
import { ApiSchema, Optional } from '../../platform/validation/field.js';
import { Id, Iso3, OneOf, Text } from '../../platform/validation/fields.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { hasAliases } from '../base/alias-key.js';
import { referenceTables } from '../reference.module.js';

/** The reference tables whose records have aliases. */
export const aliasedTables = referenceTables().filter(({ statements }) => hasAliases(statements));

/** The names of these tables, as in their addresses. */
export const ALIASED_TABLES = aliasedTables.map(({ name }) => name);

/** A new alias. */
@ApiSchema({ name: 'AliasCreate' })
export class AliasDto {
  @OneOf(ALIASED_TABLES, { description: 'Name of the table' }) table!: string;
  @Id({ description: 'Id of the record that imports find under this key' }) record_id!: number;
  @Text(200) name!: string;
  @Optional(Iso3({ description: 'Of an alias of a market; else empty, as the administrative units' }))
  iso3_country_code?: string;
  @Optional(Text(150)) admin_unit?: string;
  @Optional(Text(150)) admin_unit2?: string;
}

/** The fields that only some tables have. */
const KEY_FIELDS = ['iso3_country_code', 'admin_unit', 'admin_unit2'] as const;

/** The fields that an alias of a record of the table must have, or must not have. */
export function keyViolations(alias: AliasDto): Violation[] {
  const { uniqueKey } = aliasedTables.find(({ name }) => name === alias.table)!.statements;
  return KEY_FIELDS.flatMap((field) => {
    if (!uniqueKey.includes(field))
      return alias[field] ? [bodyViolation(field, new ParseError('unknown_field', NO_PART))] : [];
    return field === 'iso3_country_code' && alias[field] === undefined
      ? [bodyViolation(field, new ParseError('required', 'is required for this table.'))]
      : [];
  });
}

const NO_PART = 'is no part of the key of this table.';
