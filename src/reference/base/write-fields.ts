/**
 * Which read field each field of a DTO fills. Every DTO field has to be there and only fields of the entity are taken, so a
 * forgotten or misspelt one does not compile. It serves both ways: bodies are renamed through it, and a record is its
 * targets, in order.
 */
export type WriteFields<Dto, Entity> = {
  readonly [Field in keyof Required<Dto>]: Exclude<keyof Entity, 'version'> & string;
};

/** The DTO class of a reference table. */
export interface ReferenceDto {
  new (): object;
  readonly reads: Readonly<Record<string, string>>;
}

/** The two names that each field of a reference table has: `commodity_name` in bodies and `name` in records. */
export class FieldNames {
  /** Read fields, in the order of a record. */
  readonly reads: readonly string[];
  /** The write field that fills `id`: it names the record, and is no value of it. */
  readonly id: string;
  /** Write fields by their read fields: the plain names are taken in bodies as well. */
  readonly aliases: Readonly<Record<string, string>>;

  constructor(private readonly dto: ReferenceDto) {
    this.reads = Object.values(dto.reads);
    this.aliases = Object.fromEntries(Object.entries(dto.reads).map(([write, read]) => [read, write]));
    this.id = this.aliases.id as string;
  }

  /** A checked body as values of the entity. */
  valuesOf(body: object): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [write, value] of Object.entries(body)) {
      if (write !== this.id && value !== undefined) values[this.dto.reads[write] as string] = value;
    }
    return values;
  }

  /** What the caller called a read field, which is the prefixed name where it was not sent. */
  sentAs(read: string, body: object): string {
    const write = this.aliases[read] as string;
    return !Object.hasOwn(body, write) && Object.hasOwn(body, read) ? read : write;
  }

  /** A record in the read form. */
  record(row: object): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const field of this.reads) record[field] = (row as Record<string, unknown>)[field];
    return record;
  }
}
