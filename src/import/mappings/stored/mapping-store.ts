import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Reads } from '../../../database/reads.js';
import { assignments, quoteIdentifiers } from '../../../database/sql.js';
import { instantText } from '../../../platform/clock/clock.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import type { ImportRequest } from '../../import.service.js';
import type { Mapping } from '../mapping.js';
import { MappingRow } from './mapping.entity.js';

/** What a stored mapping is listed with. */
export interface StoredMappingHead {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly table_name: string;
  readonly saved_at: string;
  readonly change_set_id: number;
}

/** A stored mapping, or one of its versions. */
export interface StoredMapping extends StoredMappingHead {
  readonly mapping: Mapping;
}

/** A version of a mapping; the newest of one that was not removed has not ended. */
export interface StoredMappingVersion extends StoredMappingHead {
  readonly ended_at: string | null;
}

/** A request whose input is read by a stored mapping, as it is now. */
export const readBy = <Request extends Pick<ImportRequest, 'options'>>(
  request: Request,
  { mapping, version }: Pick<StoredMapping, 'mapping' | 'version'>,
): Request & Pick<ImportRequest, 'mappingVersion'> => ({
  ...request,
  options: { ...request.options, mapping },
  mappingVersion: version,
});

type MappingContent = Record<'content' | 'content_end', string>;

const HEAD = ['id', 'name', 'version', 'title', 'table_name', 'saved_at', 'change_set_id'];
const OWN = [...HEAD.slice(1), 'content', 'content_end'];
const HEAD_COLUMNS = quoteIdentifiers(HEAD);
const ALL_COLUMNS = quoteIdentifiers([...HEAD, 'content', 'content_end']);

/** Bytes of a mapping in its first column. */
const FIRST_BYTES = 60_000;

/**
 * The mappings that maintainers have stored, with all they were. They are read from where they are
 * written: no revision of the data says whether another server has the newest.
 */
@Injectable()
export class MappingStore {
  constructor(private readonly database: Database) {}

  /** All of them by name, without their contents. */
  all(): Promise<StoredMappingHead[]> {
    return this.database.rows(`SELECT ${HEAD_COLUMNS} FROM mapping ORDER BY name`);
  }

  /** @returns null where none has the name */
  async find(name: string, reads: Pick<Reads, 'rows'> = this.database): Promise<StoredMapping | null> {
    const rows = await reads.rows<StoredMappingHead & MappingContent>(
      `SELECT ${ALL_COLUMNS} FROM mapping WHERE name = ?`,
      [name],
    );
    return rows[0] === undefined ? null : withContent(rows[0]);
  }

  /** All versions of a name, newest first; none where it was never stored. */
  versions(name: string): Promise<StoredMappingVersion[]> {
    return this.database.rows(
      `SELECT ${HEAD_COLUMNS}, NULL AS ended_at FROM mapping WHERE name = ?` +
        ` UNION ALL SELECT ${HEAD_COLUMNS}, ended_at FROM mapping_version WHERE name = ?` +
        ' ORDER BY version DESC',
      [name, name],
    );
  }

  /** @returns null where the name has no such version */
  async version(name: string, version: number): Promise<StoredMapping | null> {
    const rows = await this.database.rows<StoredMappingHead & MappingContent>(
      `SELECT ${ALL_COLUMNS} FROM mapping WHERE name = ? AND version = ?` +
        ` UNION ALL SELECT ${ALL_COLUMNS} FROM mapping_version WHERE name = ? AND version = ?`,
      [name, version, name, version],
    );
    return rows[0] === undefined ? null : withContent(rows[0]);
  }

  /** Stores a mapping of a new name. */
  async insert(transaction: Transaction, mapping: Mapping, changeSetId: number): Promise<StoredMapping> {
    const [former] = await transaction.rows<{ version: number | null }>(
      'SELECT MAX(version) AS version FROM mapping_version WHERE name = ?',
      [mapping.name],
    );
    const version = (former?.version ?? 0) + 1;
    await transaction.insert(MappingRow, valuesOf(transaction, mapping, version, changeSetId));
    return (await this.find(mapping.name, transaction))!;
  }

  /**
   * Stores a mapping in place of the one that was read.
   * @returns null if that has meanwhile changed
   */
  async update(
    transaction: Transaction,
    before: StoredMapping,
    mapping: Mapping,
    changeSetId: number,
  ): Promise<StoredMapping | null> {
    const values = valuesOf(transaction, mapping, before.version + 1, changeSetId);
    await this.supersede(transaction, before);
    const { affected } = await transaction.execute(
      `UPDATE mapping SET ${assignments(Object.keys(values))} WHERE id = ? AND version = ?`,
      [...Object.values(values), before.id, before.version],
    );
    return affected === 0 ? null : this.find(mapping.name, transaction);
  }

  /** Removes a mapping; its versions stay. @returns false if it has meanwhile changed */
  async remove(transaction: Transaction, before: StoredMapping): Promise<boolean> {
    await this.supersede(transaction, before);
    const { affected } = await transaction.execute('DELETE FROM mapping WHERE id = ? AND version = ?', [
      before.id,
      before.version,
    ]);
    return affected > 0;
  }

  /** Keeps what a mapping was. */
  private async supersede(transaction: Transaction, { id, version }: StoredMapping): Promise<void> {
    const columns = quoteIdentifiers(OWN);
    await transaction.execute(
      `INSERT INTO mapping_version (${columns}, ended_at) SELECT ${columns}, ? FROM mapping` +
        ' WHERE id = ? AND version = ?',
      [instantText(transaction.now()), id, version],
    );
  }
}

function valuesOf(transaction: Transaction, mapping: Mapping, version: number, changeSetId: number) {
  const bytes = Buffer.from(JSON.stringify(mapping));
  let end = Math.min(bytes.length, FIRST_BYTES);
  // Not within a character.
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return {
    name: mapping.name,
    version,
    title: mapping.title ?? '',
    table_name: mapping.table,
    saved_at: instantText(transaction.now()),
    change_set_id: changeSetId,
    content: bytes.toString('utf8', 0, end),
    content_end: bytes.toString('utf8', end),
  };
}

function withContent({
  content,
  content_end: end,
  ...head
}: StoredMappingHead & MappingContent): StoredMapping {
  return { ...head, mapping: JSON.parse(content + end) as Mapping };
}
