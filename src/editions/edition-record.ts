import type { FileRecord } from './make/edition-file.js';
import { ApiSchema, ArrayOf, Nested, OrNull, schemaOf, WithSchema } from '../platform/validation/field.js';
import { Count, Instant, OneOf, Text, WideCount } from '../platform/validation/fields.js';
import { columnsOf } from '../platform/formats/columns.js';

/** States of editions. One whose maker was killed is interrupted. */
const EDITION_STATES = ['running', 'ready', 'failed', 'interrupted'] as const;

/** What a finished edition has in it. */
export interface EditionContents {
  readonly series: number;
  readonly points: number;
  readonly files: readonly FileRecord[];
}

/** How an edition differs from the one before. */
@ApiSchema()
export class EditionDifference {
  @Count({ description: 'Number of the edition before' }) readonly edition!: number;
  @Count() readonly series_added!: number;
  @Count() readonly series_removed!: number;
  @WideCount({ description: 'Stored points, as in PriceSeriePrice/differences/' })
  readonly points_added!: number;
  @WideCount() readonly points_changed!: number;
  @WideCount() readonly points_removed!: number;
}

/** A file of an edition, as responses show it. */
@ApiSchema({ name: 'EditionFile' })
class EditionFileRecord implements FileRecord {
  @Text({ description: 'Name of the file' }) readonly name!: string;
  @WideCount({ description: 'Length in bytes' }) readonly bytes!: number;
  @Text({ description: 'SHA-256 of the file, which is its entity tag, too' })
  readonly sha256!: string;
  @Text({ description: 'The path at which it is served' }) readonly path!: string;
}

/** An edition, as responses show it. */
@ApiSchema({ name: 'Edition' })
export class EditionRecord {
  @Count() number!: number;
  @Text({ description: 'What it is called' }) title!: string;
  @OneOf(EDITION_STATES, {
    description: 'interrupted: the process that created it was killed; it has no files',
  })
  state!: (typeof EDITION_STATES)[number];
  @WideCount({ description: 'The revision of the data' }) revision!: number;
  @Instant() started_at!: string;
  @OrNull(Instant({ description: 'Null while it is made' })) ended_at!: string | null;
  @Text({ description: 'Why it could not be made' }) error!: string;
  @OrNull(Count({ description: 'Number of series; null until it is ready' })) series!: number | null;
  @OrNull(WideCount(), { description: 'Number of prices; null until it is ready' })
  points!: number | null;
  /** Null until it is ready, and for the first one. */
  @WithSchema<EditionDifference | null>({ anyOf: [schemaOf(EditionDifference), { type: 'null' }] })
  difference!: EditionDifference | null;
  @OrNull(ArrayOf(Nested(EditionFileRecord)), { description: 'Null until it is ready' })
  files!: EditionFileRecord[] | null;
}

/** An edition whose files are there. */
export interface ReadyEdition extends EditionRecord {
  /** When its revision of the data was made: ISO 8601, UTC. Null before the first revision. */
  readonly revised_at: string | null;
  series: number;
  points: number;
  files: EditionFileRecord[];
}

/** The fields of a record as columns; tables show difference and files as JSON. */
export const editionColumns = columnsOf(EditionRecord);
