import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { driverErrorKind } from '../../../database/errors/driver-errors.js';
import { AuditTrail } from '../../../ledger/audit/audit-trail.js';
import { UnitOfWork, type Transaction } from '../../../ledger/unit-of-work.js';
import {
  BuiltIn,
  InUse,
  NotFound,
  PreconditionFailed,
  TooLarge,
} from '../../../platform/errors/api-error.js';
import { checkPreconditions, type Preconditions } from '../../../platform/http/etag.js';
import { recordChangeSet, type Author } from '../../../reference/base/base-reference.service.js';
import { MAX_MAPPING_BYTES, type Mapping } from '../mapping.js';
import { shippedMappings } from '../shipped-mappings.js';
import {
  shippedEntry,
  storedEntry,
  storedRecord,
  toVersionEntry,
  type MappingEntry,
  type MappingFilters,
  type MappingRecord,
  type MappingVersionEntry,
} from './mapping-record.js';
import { MappingStore, type StoredMapping } from './mapping-store.js';
import { MappingUses } from './mapping-uses.js';

/** What the audit log has of a mapping: its versions have the rest. */
const AUDITED_COLUMNS = ['name', 'version', 'title', 'table_name'];

/** Another stored mapping has the name. */
export class MappingNameTakenError extends Error {
  constructor(readonly mappingName: string) {
    super('The name is taken.');
    this.name = 'MappingNameTakenError';
  }
}

/** The entity tag of a stored mapping, without quotes. */
export const mappingTag = ({ version }: Pick<StoredMapping, 'version'>): string => String(version);

/** The change set of a write of a mapping. It has no revision: a mapping is none of the data. */
export const mappingChangeSet = (author: Author, name: string) =>
  ({ ...recordChangeSet(author), format: name }) as const;

/** The mappings that are stored, beside those that are a part of the service. */
@Injectable()
export class MappingsService {
  constructor(
    private readonly store: MappingStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
    private readonly uses: MappingUses,
  ) {}

  /** All mappings by name, without what they say. */
  async list({ name, table, shipped }: MappingFilters = {}): Promise<MappingEntry[]> {
    const stored = (await this.store.all()).map(storedEntry);
    return [...stored, ...[...shippedMappings.values()].map(shippedEntry)]
      .filter((entry) => name === undefined || name.includes(entry.name))
      .filter((entry) => table === undefined || table.includes(entry.table))
      .filter((entry) => shipped === undefined || shipped === entry.shipped)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** @throws NotFound */
  async read(name: string): Promise<MappingRecord> {
    const shipped = shippedMappings.get(name);
    if (shipped !== undefined) return { ...shippedEntry(shipped), mapping: shipped };
    const stored = await this.store.find(name);
    if (stored === null) throw mappingNotFound();
    return storedRecord(stored);
  }

  /**
   * What a stored mapping was and is, newest first; also of one that was removed.
   * @throws NotFound
   */
  async versions(name: string): Promise<MappingVersionEntry[]> {
    const versions = await this.store.versions(name);
    if (versions.length === 0 && !shippedMappings.has(name)) throw mappingNotFound();
    return versions.map(toVersionEntry);
  }

  /** @throws NotFound */
  async version(name: string, version: number): Promise<MappingRecord> {
    const stored = Number.isNaN(version) ? null : await this.store.version(name, version);
    if (stored === null) throw new NotFound('There is no such version of a mapping.');
    return storedRecord(stored);
  }

  /**
   * Stores a new mapping in an open transaction.
   * @throws BuiltIn, MappingNameTakenError, TooLarge
   */
  async create(transaction: Transaction, mapping: Mapping, author: Author): Promise<StoredMapping> {
    assertStorable(mapping);
    if (shippedMappings.has(mapping.name))
      throw new BuiltIn(isShipped(mapping.name), { in: 'body', name: 'name', pointer: '/name' });
    if ((await this.store.find(mapping.name, transaction)) !== null)
      throw new MappingNameTakenError(mapping.name);
    const changeSetId = (await transaction.changeSetId())!;
    const stored = await this.store.insert(transaction, mapping, changeSetId).catch((error: unknown) => {
      throw driverErrorKind(error) === 'duplicate' ? new MappingNameTakenError(mapping.name) : error;
    });
    await this.record(transaction, 'create', null, stored, author);
    return stored;
  }

  /**
   * Stores what a mapping is from now on; one that says the same stays as it is.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, BuiltIn, TooLarge
   */
  replace(mapping: Mapping, conditions: Preconditions, author: Author): Promise<StoredMapping> {
    assertStorable(mapping);
    const { name } = mapping;
    return this.write(name, conditions, author, async (transaction, before) => {
      if (JSON.stringify(before.mapping) === JSON.stringify(mapping)) return before;
      const changeSetId = (await transaction.changeSetId())!;
      const after = await this.store.update(transaction, before, mapping, changeSetId);
      if (after === null) throw new PreconditionFailed();
      await this.record(transaction, 'update', before, after, author);
      return after;
    });
  }

  /** @throws NotFound, PreconditionFailed, PreconditionRequired, BuiltIn, InUse */
  async remove(name: string, conditions: Preconditions, author: Author): Promise<void> {
    await this.write(name, conditions, author, async (transaction, before) => {
      const uses = (await this.uses.all(transaction)).get(name) ?? [];
      if (uses.length > 0) throw new InUse(uses);
      if (!(await this.store.remove(transaction, before))) throw new PreconditionFailed();
      await this.record(transaction, 'delete', before, null, author);
    });
  }

  /** Writes a stored mapping that is read first. */
  private async write<T>(
    name: string,
    conditions: Preconditions,
    author: Author,
    work: (transaction: Transaction, before: StoredMapping) => Promise<T>,
  ): Promise<T> {
    if (shippedMappings.has(name)) throw new BuiltIn(isShipped(name), { in: 'path', name: 'name' });
    return this.unitOfWork.change(
      mappingChangeSet(author, name),
      async (transaction) => {
        const before = await this.store.find(name, transaction);
        if (before === null) throw mappingNotFound();
        checkPreconditions(conditions, () => mappingTag(before), this.environment.strictWrites);
        return work(transaction, before);
      },
      author.deadline,
    );
  }

  private async record(
    transaction: Transaction,
    action: 'create' | 'update' | 'delete',
    before: StoredMapping | null,
    after: StoredMapping | null,
    { caller, requestId }: Author,
  ): Promise<void> {
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'mapping',
      recordId: (after ?? before)!.id,
      action,
      columns: AUDITED_COLUMNS,
      before: before === null ? null : { ...before },
      after: after === null ? null : { ...after },
    });
  }
}

const mappingNotFound = () => new NotFound('There is no such mapping.');

const isShipped = (name: string): string =>
  `The mapping ${name} is a part of the service: store a copy of it under another name.`;

/** @throws TooLarge for one that is larger as it is stored than as it was sent */
function assertStorable(mapping: Mapping): void {
  if (Buffer.byteLength(JSON.stringify(mapping)) > MAX_MAPPING_BYTES)
    throw new TooLarge(MAX_MAPPING_BYTES, '', 'The mapping');
}
