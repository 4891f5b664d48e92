import { type Field, fieldsOf } from '../../platform/validation/field.js';
import type { ReferenceEntity } from './reference.entity.js';
import { TableStatements } from './table-statements.js';
import type { ReferenceDto } from './write-fields.js';

/** A reference table as the import and the OpenAPI document see it. */
export class ReferenceTable {
  /** Path segment, and the name of the import format. */
  readonly name: string;
  readonly statements: TableStatements<ReferenceEntity>;
  /** The fields but `id`, by their read names. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The values of the fields that a record leaves out; undefined for required ones. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** A body that creates a record: the fields that have an example. */
  readonly example: Readonly<Record<string, unknown>>;

  /** @throws Error for a required field without an example */
  constructor(readonly dto: ReferenceDto) {
    this.name = dto.entity.name;
    this.statements = new TableStatements(dto.entity);
    this.defaults = this.statements.withDefaults({});
    const fields = fieldsOf(dto).filter(({ name }) => dto.reads[name] !== 'id');
    this.fields = new Map(fields.map((field) => [dto.reads[field.name] as string, field]));
    const incomplete = fields.find(({ required, schema }) => required && schema.example === undefined);
    if (incomplete) throw new Error(`The required field ${incomplete.name} has no example.`);
    const examples = fields.filter(({ schema }) => schema.example !== undefined);
    this.example = Object.fromEntries(examples.map(({ name, schema }) => [name, schema.example]));
  }
}
