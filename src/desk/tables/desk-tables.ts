import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { NotFound } from '../../platform/errors/api-error.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, one, type Parameter, parseId } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { mergedTables } from '../../price-series/merging/merged-tables.js';
import type { MergedTable } from '../../price-series/merging/record-merging.js';
import type { BaseReferenceService } from '../../reference/base/base-reference.service.js';
import { ListQuery } from '../../reference/base/list-query.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { FieldNames } from '../../reference/base/write-fields.js';

/** A reference table at the desk. */
export interface DeskTable {
  /** Its path segment in the API, and here. */
  readonly name: string;
  readonly table: ReferenceTable;
  readonly names: FieldNames;
  readonly list: ListQuery;
  /** `search`, the fields of the table, `order` and `page`. */
  readonly query: QuerySchema<Record<string, Parameter<unknown>>>;
  readonly service: BaseReferenceService<ReferenceEntity>;
  /** How its records are merged; null for tables that series do not refer to. */
  readonly merged: MergedTable | null;
}

/** The parts of a reference table's controller that the desk uses. */
interface TableController {
  readonly service: BaseReferenceService<ReferenceEntity>;
}

/**
 * The reference tables: those that have a controller made by `ReferenceController`, so that a new
 * table has its pages at the desk without a line here.
 */
@Injectable()
export class DeskTables {
  private tables: ReadonlyMap<string, DeskTable> | null = null;

  constructor(private readonly discovery: DiscoveryService) {}

  /** All of them, by name. */
  all(): readonly DeskTable[] {
    return [...this.byName().values()];
  }

  /** @throws NotFound */
  find(name: string): DeskTable {
    const found = this.byName().get(name);
    if (found === undefined) throw new NotFound('There is no such table.');
    return found;
  }

  /** Found at the first request, when all controllers have been made. */
  private byName(): ReadonlyMap<string, DeskTable> {
    if (this.tables !== null) return this.tables;
    const found = this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      const table: unknown = metatype !== null && 'table' in metatype ? metatype.table : null;
      return table instanceof ReferenceTable ? [deskTable(table, instance as TableController)] : [];
    });
    found.sort((one, other) => (one.name < other.name ? -1 : 1));
    return (this.tables = new Map(found.map((table) => [table.name, table])));
  }
}

function deskTable(table: ReferenceTable, { service }: TableController): DeskTable {
  const list = new ListQuery(table.dto);
  const filters: (readonly [string, Parameter<unknown>])[] = ['search', ...table.fields.keys()].map(
    (name) => [name, list.schema.parameters[name]!],
  );
  const orders = ['id', ...table.fields.keys()].flatMap((name) => [name, `-${name}`]);
  const order = one(choice(orders), 'The field by which the list is ordered; descending after a minus.');
  return {
    name: table.name,
    table,
    names: new FieldNames(table.dto),
    list,
    query: new QuerySchema({ ...Object.fromEntries(filters), order, page: pageParameters.page }),
    service,
    merged: mergedTables.find(({ name }) => name === table.name) ?? null,
  };
}

/** @throws NotFound for text that is no id */
export function requireId(text: string): number {
  const id = parseId(text);
  if (Number.isNaN(id)) throw new NotFound('There is no such record.');
  return id;
}
