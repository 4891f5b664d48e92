import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

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

const SELECT_IMPORT = `
  SELECT c.id, c.started_at, c.input FROM series_change s
  JOIN revision r ON r.number = s.revision JOIN change_set c ON c.id = r.change_set_id
  WHERE s.serie_id = ? AND s.revision <= ? AND c.kind IN ('import', 'sample')
  ORDER BY s.revision DESC LIMIT 1`;
const SELECT_REPLACED =
  'SELECT SUM(changed + removed) AS replaced, MIN(revision) AS first FROM series_change WHERE serie_id = ? AND revision <= ?';

const number = (value: number | string | null) => (value === null ? null : Number(value));

/** Reads what has changed the prices of series. */
@Injectable()
export class SeriesOrigins {
  constructor(private readonly database: Database) {}

  /** @param revision of the data that is shown; later changes do not count */
  async read(serieId: number, revision: number): Promise<SeriesOrigin> {
    const [lastImport] = await this.database.rows<ImportSummary>(SELECT_IMPORT, [serieId, revision]);
    // Servers return sums and big integers as text.
    const [sums] = await this.database.rows<Record<'replaced' | 'first', number | string | null>>(
      SELECT_REPLACED,
      [serieId, revision],
    );
    return {
      lastImport: lastImport ?? null,
      replaced: Number(sums?.replaced ?? 0),
      first: number(sums?.first ?? null),
    };
  }
}
