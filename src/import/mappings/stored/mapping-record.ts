import { columnsOf } from '../../../platform/formats/columns.js';
import { listQuery } from '../../../platform/listing/list-parameters.js';
import { pageParameters } from '../../../platform/listing/page.js';
import { ApiSchema, Nested, OrNull } from '../../../platform/validation/field.js';
import { Count, Flag, Id, Instant, Text } from '../../../platform/validation/fields.js';
import { IntersectionType } from '../../../platform/validation/mapped-types.js';
import { choice, flag, many, one, text } from '../../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../../platform/validation/query-schema.js';
import { Mapping, mappedTables } from '../mapping.js';
import type { StoredMapping, StoredMappingHead, StoredMappingVersion } from './mapping-store.js';

/** A mapping, as the list shows it. */
@ApiSchema({ name: 'MappingEntry' })
export class MappingEntry {
  @Text() name!: string;
  @Text({ description: 'What it reads, for people' }) title!: string;
  @Text({ description: 'The format whose columns its fields are' }) table!: string;
  @Flag({ description: 'Whether it is a part of the service, which nobody changes' }) shipped!: boolean;
  @OrNull(Count(), { description: 'Counts the saves of the name; null for shipped ones, as below' })
  version!: number | null;
  @OrNull(Instant()) saved_at!: string | null;
  @OrNull(Id({ description: 'The change set that saved it' })) change_set_id!: number | null;
}

class WithMapping {
  @Nested(Mapping) mapping!: Mapping;
}

/** A mapping with all that it says. */
@ApiSchema({ name: 'MappingRecord' })
export class MappingRecord extends IntersectionType(MappingEntry, WithMapping) {}

/** A mapping as it was saved once. */
@ApiSchema({ name: 'MappingVersion' })
export class MappingVersionEntry {
  @Count() version!: number;
  @Text() title!: string;
  @Text() table!: string;
  @Instant() saved_at!: string;
  @OrNull(Instant({ description: 'When it was saved anew or removed; null for the present one' }))
  ended_at!: string | null;
  @Id({ description: 'The change set that saved it' }) change_set_id!: number;
}

export const mappingColumns = columnsOf(MappingEntry);
export const mappingVersionColumns = columnsOf(MappingVersionEntry);

const mappingQuery = new QuerySchema({
  name: many(text(50), 'Only mappings with these names.'),
  table: many(choice([...mappedTables.keys()]), 'Only mappings to these formats.'),
  shipped: one(flag, 'Only those that are a part of the service, or only those that are stored.'),
  ...pageParameters,
});

export const mappingListQuery = listQuery(mappingQuery, mappingColumns);
export const mappingVersionsQuery = listQuery(new QuerySchema(pageParameters), mappingVersionColumns);

export type MappingFilters = Pick<QueryValues<typeof mappingQuery.parameters>, 'name' | 'table' | 'shipped'>;

/** The entry of a stored mapping. */
export const storedEntry = ({
  name,
  title,
  table_name: table,
  version,
  saved_at,
  change_set_id,
}: StoredMappingHead): MappingEntry => ({
  name,
  title,
  table,
  shipped: false,
  version,
  saved_at,
  change_set_id,
});

export const storedRecord = (stored: StoredMapping): MappingRecord => ({
  ...storedEntry(stored),
  mapping: stored.mapping,
});

/** The entry of a mapping that is a part of the service. */
export const shippedEntry = ({ name, title = '', table }: Mapping): MappingEntry => ({
  name,
  title,
  table,
  shipped: true,
  version: null,
  saved_at: null,
  change_set_id: null,
});

export const toVersionEntry = ({
  version,
  title,
  table_name: table,
  saved_at,
  ended_at,
  change_set_id,
}: StoredMappingVersion): MappingVersionEntry => ({
  version,
  title,
  table,
  saved_at,
  ended_at,
  change_set_id,
});
