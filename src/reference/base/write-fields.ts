import type { ReferenceEntityClass } from './reference.entity.js';

/**
 * Maps each field of a DTO to the read field that it sets. Every DTO field is required and only
 * fields of the entity are allowed, so a missing or misspelt mapping does not compile. Bodies are
 * renamed with it, and its targets, in order, are the fields of a record.
 */
export type WriteFields<Dto, Entity> = {
  readonly [Field in keyof Required<Dto>]: Exclude<keyof Entity, 'version'> & string;
};

/** The DTO class of a reference table. */
export interface ReferenceDto {
  new (): object;
  readonly entity: ReferenceEntityClass;
  readonly reads: Readonly<Record<string, string>>;
}

/**
 * The two names of each field of a reference table: `commodity_name` in bodies, `name` in records.
 */
export class FieldNames {
  /** Read fields, in the order of a record. */
  readonly reads: readonly string[];
  /** The write field of `id`, which identifies the record and is not one of its values. */
  readonly id: string;
  /** Write fields by their read fields: bodies may use the plain names as well. */
  readonly aliases: Readonly<Record<string, string>>;

  constructor(private readonly dto: ReferenceDto) {
    this.reads = Object.values(dto.reads);
    this.aliases = Object.fromEntries(Object.entries(dto.reads).map(([write, read]) => [read, write]));
    this.id = this.aliases.id as string;
  }

  /** Converts a validated body to values of the entity. */
  valuesOf(body: object): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [write, value] of Object.entries(body)) {
      if (write !== this.id && value !== undefined) values[this.dto.reads[write] as string] = value;
    }
    return values;
  }

  /** The name under which the caller sent a read field; the prefixed name if it was not sent. */
  sentAs(read: string, body: object): string {
    const write = this.aliases[read] as string;
    return !Object.hasOwn(body, write) && Object.hasOwn(body, read) ? read : write;
  }

  /** Converts an entity to the record that responses contain. */
  record(row: object): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const field of this.reads) record[field] = (row as Record<string, unknown>)[field];
    return record;
  }
}
