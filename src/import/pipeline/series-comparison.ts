import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { ImportRejected } from '../formats/batch.js';
import type { ImportOptions } from '../formats/index.js';
import type { Mapping } from '../mappings/mapping.js';
import type { Input } from './input.js';
import { ROWS_PER_TRANSACTION } from './reading/ordered-prices.js';
import { readInput } from './reading/read-input.js';
import { naturalKey, type SeriesKey } from './series-uuid.js';
import { type ImportedSeries, resolveSeries } from './series-writer.js';

/** Series that are listed; all of them are counted. */
const MAX_LISTED = 20;
/** Prices to sort at once: only their series are wanted. */
const MIN_PRICES = 25_000;

/** What a file is stored as by one mapping and by the one in place of it. */
export interface SeriesComparison {
  /** Stored series that only the former one reads the file into: they would begin anew. */
  readonly ended: number;
  /** The first of them, by what the former one calls them. */
  readonly firstEnded: readonly { readonly uuid: string; readonly key: SeriesKey }[];
  /** Series that the new one reads the file into, and that are not stored. */
  readonly begun: number;
  /** Why the former one does not read the file to its end; null where it does. */
  readonly failure: string | null;
}

/** The series of a file, and those of them that are stored. */
interface FoundSeries {
  readonly series: readonly ImportedSeries[];
  /** Ids by uuid. */
  readonly stored: ReadonlyMap<string, number>;
  readonly failure: string | null;
}

/** Thrown to roll back a transaction in which series were only looked for. */
class FoundOnly extends Error {
  constructor(readonly stored: ReadonlyMap<string, number>) {
    super('Series that were looked for are not stored.');
  }
}

/** Compares the series that two mappings make of a file with those that are stored. */
@Injectable()
export class SeriesComparer {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * @param open opens the file, which is read by each
   * @throws ImportRejected where the new mapping does not read the file
   */
  async compare(
    open: () => Input,
    options: ImportOptions,
    { before, after }: { before: Mapping; after: Mapping },
  ): Promise<SeriesComparison> {
    const now = await this.find(open(), { ...options, mapping: after });
    if (now.failure !== null) throw new ImportRejected(now.failure);
    const former = await this.find(open(), { ...options, mapping: before });
    const continued = new Set(now.stored.values());
    const ended = former.series.filter(({ uuid }) => {
      const id = former.stored.get(uuid);
      return id !== undefined && !continued.has(id);
    });
    return {
      ended: ended.length,
      firstEnded: ended
        .slice(0, MAX_LISTED)
        .map(({ uuid, descriptor }) => ({ uuid, key: naturalKey(descriptor!) })),
      begun: now.series.length - now.stored.size,
      failure: former.failure,
    };
  }

  /** The series that a mapping makes of a file. */
  private async find(
    input: Input,
    options: ImportOptions & { readonly mapping: Mapping },
  ): Promise<FoundSeries> {
    const byUuid = new Map<string, ImportedSeries>();
    let failure: string | null = null;
    try {
      for await (const batch of readInput(options.mapping.name, input, options, MIN_PRICES))
        if (batch.kind === 'prices') for (const one of batch.newSeries) byUuid.set(one.uuid, one);
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error;
      failure = error.message;
    } finally {
      await input.close();
    }
    const series = [...byUuid.values()];
    const stored = new Map<string, number>();
    for (const batch of batchesOf(series, ROWS_PER_TRANSACTION))
      for (const [uuid, id] of await this.storedOf(batch)) stored.set(uuid, id);
    return { series, stored, failure };
  }

  /** The series that are stored, found as an import finds them: by uuids, aliases and records. */
  private async storedOf(series: readonly ImportedSeries[]): Promise<ReadonlyMap<string, number>> {
    try {
      return await this.unitOfWork.run(async (transaction) => {
        const { stored, created } = await resolveSeries(transaction, series);
        const isNew = new Set(created);
        const found = [...stored].filter(([uuid]) => !isNew.has(uuid));
        throw new FoundOnly(new Map(found.map(([uuid, { id }]) => [uuid, id])));
      });
    } catch (error) {
      if (error instanceof FoundOnly) return error.stored;
      throw error;
    }
  }
}
