import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { Conditions, NewestFirst } from '../../database/newest-first.js';
import { equalities, quoteIdentifier, quoteIdentifiers } from '../../database/sql.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { checkPreconditions, type Preconditions } from '../../platform/http/etag.js';
import { NotFound, ReferenceMissing } from '../../platform/errors/api-error.js';
import type { Listing } from '../../platform/formats/listing.js';
import type { RequestedList } from '../../platform/listing/page.js';
import { aliasStatements } from '../base/alias-key.js';
import type { Alias } from '../base/alias.entity.js';
import { addAlias, findAlias } from '../base/aliases.js';
import { etagOf, recordChangeSet, type Author } from '../base/base-reference.service.js';
import { removeRecords } from '../base/record-versions.js';
import type { DatabaseRow, RecordValues } from '../base/table-statements.js';
import type { AliasDto } from './alias.dto.js';
import { aliasedTables } from './alias.dto.js';
import { aliasColumns, tableName, toRecord, type AliasFilters, type AliasRecord } from './alias-list.js';

/** Another alias or a record has the key already. */
export class KeyTakenError extends Error {
  /** @param address of that alias or record, below the address of the interface */
  constructor(readonly address: string) {
    super('The key is taken.');
    this.name = 'KeyTakenError';
  }
}

/** Lists, creates and removes aliases of records. */
@Injectable()
export class AliasesService {
  private readonly newestFirst: NewestFirst<Alias, AliasRecord>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
  ) {
    const columns = quoteIdentifiers(['id', ...aliasStatements.ownColumns]);
    const from = aliasStatements.name;
    this.newestFirst = new NewestFirst(database, { columns, from, id: 'id', toItem: toRecord });
  }

  /** The requested list of aliases. @throws NotFound for a page past the last */
  list(filters: AliasFilters, request: RequestedList): Promise<Listing> {
    return this.newestFirst.list(aliasColumns, conditionsOf(filters), request);
  }

  /** @throws NotFound */
  async read(id: number): Promise<Alias> {
    const [row] = await this.database.anyServer.rows<DatabaseRow>(aliasStatements.select('WHERE id = ?'), [
      id,
    ]);
    if (row === undefined) throw aliasNotFound();
    return aliasStatements.record(row);
  }

  /**
   * Creates an alias in an open transaction.
   * @throws ReferenceMissing, KeyTakenError
   */
  async create(transaction: Transaction, dto: AliasDto, author: Author): Promise<Alias> {
    const { name: path, statements: table } = aliasedTables.find(({ name }) => name === dto.table)!;
    const idsWhere = (condition: string, values: readonly (string | number)[]) =>
      transaction.rows<{ id: number }>(
        `SELECT id FROM ${quoteIdentifier(table.name)} WHERE ${condition}`,
        values,
      );
    if ((await idsWhere('id = ?', [dto.record_id])).length === 0) throw new ReferenceMissing(['record_id']);
    const key = keyOf(dto);
    const existing = await findAlias(transaction, table, key);
    if (existing !== null) throw new KeyTakenError(`Alias/${existing.id}/`);
    const isKey = equalities(table.uniqueKey);
    const [record] = await idsWhere(
      isKey,
      table.uniqueKey.map((column) => key[column] as string),
    );
    if (record !== undefined) throw new KeyTakenError(`${path}/${record.id}/`);
    await addAlias(transaction, table, dto.record_id, key);
    const alias = (await findAlias(transaction, table, key))!;
    await this.record(transaction, 'create', alias, author);
    return alias;
  }

  /** @throws NotFound, PreconditionFailed, PreconditionRequired */
  async remove(id: number, conditions: Preconditions, author: Author): Promise<void> {
    await this.unitOfWork.change(
      recordChangeSet(author),
      async (transaction) => {
        const [row] = await transaction.rows<DatabaseRow>(aliasStatements.select('WHERE id = ?'), [id]);
        if (row === undefined) throw aliasNotFound();
        const alias = aliasStatements.record(row);
        checkPreconditions(conditions, () => etagOf(alias), this.environment.strictWrites);
        await removeRecords(transaction, aliasStatements, 'id = ?', [id]);
        await this.record(transaction, 'delete', alias, author);
      },
      author.deadline,
    );
  }

  private async record(
    transaction: Transaction,
    action: 'create' | 'delete',
    alias: Alias,
    { caller, requestId }: Author,
  ): Promise<void> {
    transaction.markModified('references');
    const values = alias as unknown as RecordValues;
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: aliasStatements.name,
      recordId: alias.id,
      action,
      columns: aliasStatements.ownColumns,
      before: action === 'create' ? null : values,
      after: action === 'create' ? values : null,
    });
  }
}

export const aliasNotFound = () => new NotFound('There is no such alias.');

/** The key that an alias stands for. Imports write names of price types in upper case. */
function keyOf({
  table,
  name,
  iso3_country_code = '',
  admin_unit = '',
  admin_unit2 = '',
}: AliasDto): RecordValues {
  const stored = table === 'PriceType' ? name.toUpperCase() : name;
  return { name: stored, iso3_country_code, admin_unit, admin_unit2 };
}

const conditionsOf = ({ table, record_id }: AliasFilters): Conditions =>
  new Conditions().anyOf('table_name', table?.map(tableName)).anyOf('record_id', record_id);
