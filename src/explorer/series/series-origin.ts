import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { lastImportOf, replacedPointsOf } from '../../ledger/changes/stored-changes.js';

/** What has changed the prices of a series. */
export interface SeriesOrigin {
  /** The last import that has changed them; null where none has. */
  readonly lastImport: ImportSummary | null;
  /** Prices that have been replaced or removed since they came in. */
  readonly replaced: number;
  /** The revision that brought the first of them; null where none has come in. */
  readonly first: number | null;
}

interface ImportSummary {
  /** Of its change set. */
  readonly id: number;
  /** When it began, as `YYYY-MM-DDThh:mm:ss.sssZ`. */
  readonly started_at: string;
  /** The name of its file. */
  readonly input: string;
}

/** Reads what has changed the prices of series. */
@Injectable()
export class SeriesOrigins {
  constructor(private readonly database: Database) {}

  /** @param revision of the data that is shown; later changes do not count */
  async read(serieId: number, revision: number): Promise<SeriesOrigin> {
    const lastImport = (await lastImportOf(this.database, serieId, revision)) ?? null;
    return { lastImport, ...(await replacedPointsOf(this.database, serieId, revision)) };
  }
}
