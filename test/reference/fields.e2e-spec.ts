/** @jest-environment ./test/support/environment.mjs */
import { Entity } from 'typeorm';
import { type Field, fieldsOf, Optional, OrNull } from '../../src/platform/validation/field.js';
import { Decimal, Digits, Id, OneOf, Text } from '../../src/platform/validation/fields.js';
import { ReferenceEntity } from '../../src/reference/base/reference.entity.js';
import type { ReferenceDto } from '../../src/reference/base/write-fields.js';
import { referenceTables } from '../../src/reference/reference.module.js';
import { openDatabase } from '../support/open-database.js';

/** A column of the database, or of an entity, in the terms of SQL. */
interface StoredColumn {
  name: string;
  type: string;
  length: number;
  nullable: boolean;
  /** As an SQL literal. */
  default: string | null;
}

const describeColumn = ({ type, length, nullable, default: value }: StoredColumn) =>
  `${type}${length > 0 ? `(${length})` : ''}${nullable ? ' NULL' : ' NOT NULL'}${value === null ? '' : ` DEFAULT ${value}`}`;

/** The definitions of the columns by name, without those that have no field. */
const describeColumns = (columns: readonly StoredColumn[]) =>
  Object.fromEntries(
    columns
      .filter(({ name }) => !['version', 'since', 'maintained_fields'].includes(name))
      .map((column) => [column.name, describeColumn(column)]),
  );

/**
 * The column that a field needs. A DTO does not define the default of a choice or a flag, and the
 * column of a choice may be longer than its words: these are taken from the stored column if they
 * are possible.
 */
function columnOf(
  { kind, schema, required, nullable }: Field,
  name: string,
  stored?: StoredColumn,
): StoredColumn {
  const textType = (length: number) => ({ type: 'varchar', length });
  const oneOf = (defaults: string[]) =>
    stored?.default && defaults.includes(stored.default) ? stored.default : defaults.join(' or ');
  const optional = !required && !nullable;
  const column = { name, nullable, length: 0, default: null };
  switch (kind) {
    case 'id':
      return { ...column, type: 'integer' };
    case 'text':
      return { ...column, ...textType(schema.maxLength!), default: optional ? "''" : null };
    case 'choice': {
      const longest = Math.max(...schema.enum!.map((word) => word.length));
      const defaults = schema.enum!.map((word) => `'${word}'`);
      return {
        ...column,
        ...textType(Math.max(longest, stored?.length ?? 0)),
        default: optional ? oneOf(defaults) : null,
      };
    }
    case 'digits':
      return { ...column, ...textType(Number(/,(\d+)\}/.exec(schema.pattern!)![1])) };
    case 'date':
      return { ...column, ...textType(10) };
    case 'country':
    case 'currency':
      return { ...column, ...textType(3) };
    case 'decimal':
      return { ...column, type: 'double' };
    case 'flag':
      return { ...column, type: 'boolean', default: optional ? oneOf(['0', '1']) : null };
    default:
      throw new Error(`${name}: a reference table stores normalized text.`);
  }
}

/** The definitions of the columns that the fields of a DTO need. */
const describeFields = (dto: ReferenceDto, stored: readonly StoredColumn[]) =>
  describeColumns(
    fieldsOf(dto).map((field) => {
      const name = dto.reads[field.name]!;
      return columnOf(
        field,
        name,
        stored.find((column) => column.name === name),
      );
    }),
  );

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : value === undefined ? null : String(Number(value));

describe('the fields of a reference table', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => (opened = await openDatabase()));
  afterAll(() => opened?.close());

  const entityColumns = (dto: ReferenceDto): StoredColumn[] =>
    opened.database.writer.getMetadata(dto.entity).columns.map((column) => ({
      name: column.databaseName,
      type: String(column.type),
      length: Number(column.length),
      nullable: column.isNullable,
      default: literal(column.default),
    }));

  const migratedColumns = async (dto: ReferenceDto): Promise<StoredColumn[]> => {
    const runner = opened.database.writer.createQueryRunner();
    const { tableName } = opened.database.writer.getMetadata(dto.entity);
    const table = (await runner.getTable(tableName))!;
    await runner.release();
    const types: Record<string, string> = { int: 'integer', tinyint: 'boolean' };
    return table.columns.map(({ name, type, length, isNullable, default: value }) => ({
      name,
      type: types[type] ?? type,
      length: type === 'varchar' ? Number(length) : 0,
      nullable: isNullable,
      default: (value as string | null | undefined) ?? null,
    }));
  };

  const tables = referenceTables().map(({ name, dto }) => [name, dto] as const);

  it.each(tables)('%s has the columns of its DTO in the entity', (_, dto) => {
    const columns = entityColumns(dto);
    expect(describeColumns(columns)).toEqual(describeFields(dto, columns));
  });

  it.each(tables)('%s has the columns of its DTO in the migrated database', async (_, dto) => {
    const columns = await migratedColumns(dto);
    expect(describeColumns(columns)).toEqual(describeFields(dto, columns));
  });

  it.each(tables)('%s maps each field to a read field of its own', (_, dto) =>
    expect(fieldsOf(dto).map(({ name }) => name)).toEqual(Object.keys(dto.reads)),
  );
});

describe('the comparison of fields and columns', () => {
  const KINDS = ['road', 'river'] as const;

  @Entity('wrong')
  class Wrong extends ReferenceEntity {}

  class WrongDto {
    static readonly entity = Wrong;
    static readonly reads = {
      wrong_id: 'id',
      wrong_name: 'name',
      wrong_kind: 'kind',
      wrong_length_km: 'length_km',
      wrong_code: 'code',
      wrong_colour: 'colour',
    };

    @Optional(Id()) wrong_id?: number;
    @Text(80, { example: 'A' }) wrong_name!: string;
    @Optional(OneOf(KINDS)) wrong_kind?: (typeof KINDS)[number];
    @Optional(OrNull(Decimal())) wrong_length_km?: number | null;
    @Optional(OrNull(Digits(2, 12))) wrong_code?: string | null;
    @Optional(Text(20)) wrong_colour?: string;
  }

  it('shows a wrong length, nullability and default, and columns that are missing or unknown', () => {
    const columns: StoredColumn[] = [
      { name: 'id', type: 'integer', length: 0, nullable: false, default: null },
      { name: 'version', type: 'integer', length: 0, nullable: false, default: '1' },
      { name: 'name', type: 'varchar', length: 50, nullable: false, default: null },
      { name: 'kind', type: 'varchar', length: 4, nullable: false, default: "'sea'" },
      { name: 'length_km', type: 'double', length: 0, nullable: false, default: null },
      { name: 'code', type: 'varchar', length: 10, nullable: false, default: null },
      { name: 'note', type: 'varchar', length: 10, nullable: false, default: "''" },
    ];
    expect(describeColumns(columns)).toEqual({
      id: 'integer NOT NULL',
      name: 'varchar(50) NOT NULL',
      kind: "varchar(4) NOT NULL DEFAULT 'sea'",
      length_km: 'double NOT NULL',
      code: 'varchar(10) NOT NULL',
      note: "varchar(10) NOT NULL DEFAULT ''",
    });
    expect(describeFields(WrongDto, columns)).toEqual({
      id: 'integer NOT NULL',
      name: 'varchar(80) NOT NULL',
      kind: "varchar(5) NOT NULL DEFAULT 'road' or 'river'",
      length_km: 'double NULL',
      code: 'varchar(12) NULL',
      colour: "varchar(20) NOT NULL DEFAULT ''",
    });
  });
});
