import { quoteIdentifier } from '../../database/sql.js';
import type { Reader } from './reading.js';
import { planReinstatedRecord, type RecordRevert } from './record-changes.js';
import { recordKeyText, type RecordKey } from './series-references.js';
import type { RevertContext } from './revert-context.js';

/**
 * The records that series refer to which a revert reinstates: those that went because nothing used
 * them come back with the series.
 */
export class ReinstatedRecords {
  /** What reinstates a record, by its name: null where it is there, false where nothing can. */
  private readonly found = new Map<string, RecordRevert | null | false>();

  constructor(
    private readonly reader: Reader,
    private readonly context: RevertContext,
  ) {}

  /** Whether all of some records are there, or come back. */
  async canBeThere(keys: readonly RecordKey[]): Promise<boolean> {
    for (const key of keys) {
      const name = recordKeyText(key);
      if (!this.found.has(name)) this.found.set(name, await this.find(key));
      if (this.found.get(name) === false) return false;
    }
    return true;
  }

  /** What reinstates those of some records that are not there, each once. */
  changesOf(keys: readonly RecordKey[]): RecordRevert[] {
    const changes = keys.map((key) => this.found.get(recordKeyText(key)));
    return [...new Set(changes.filter((change) => typeof change === 'object' && change !== null))];
  }

  private async find(key: RecordKey): Promise<RecordRevert | null | false> {
    const { table, id } = key;
    const { operation, tables, before } = this.context;
    // In a dry run, records that an earlier step reinstates are not there yet.
    if (before.restored.has(recordKeyText(key))) return null;
    const rows = await this.reader.rows(`SELECT id FROM ${quoteIdentifier(table)} WHERE id = ?`, [id]);
    if (rows.length > 0) return null;
    return (await planReinstatedRecord(this.reader, tables.get(table)!, id, operation)) ?? false;
  }
}
