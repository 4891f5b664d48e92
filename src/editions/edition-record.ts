import type { FileRecord } from './make/edition-file.js';
import type { Column } from '../platform/formats/listing.js';

/** States of editions. One whose maker was killed is interrupted. */
export const EDITION_STATES = ['running', 'ready', 'failed', 'interrupted'] as const;

/** What a finished edition has in it. */
export interface EditionContents {
  readonly series: number;
  readonly points: number;
  readonly files: readonly FileRecord[];
}

/** How an edition differs from the one before. */
export interface EditionDifference {
  /** The number of the one before. */
  readonly edition: number;
  readonly series_added: number;
  readonly series_removed: number;
  readonly points_added: number;
  readonly points_changed: number;
  readonly points_removed: number;
}

/** A file of an edition, as responses show it. */
export interface EditionFileRecord extends FileRecord {
  /** The path at which it is served. */
  readonly path: string;
}

/** An edition, as responses show it. */
export interface EditionRecord {
  number: number;
  title: string;
  state: (typeof EDITION_STATES)[number];
  /** The revision of the data. */
  revision: number;
  /** ISO 8601, UTC. */
  started_at: string;
  /** Null while it is made. */
  ended_at: string | null;
  /** Why it could not be made. */
  error: string;
  /** Null until it is ready, as are the next three. */
  series: number | null;
  points: number | null;
  /** Null for the first one, too. */
  difference: EditionDifference | null;
  files: EditionFileRecord[] | null;
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
export const editionColumns: readonly Column[] = [
  { name: 'number', type: 'integer' },
  { name: 'title', type: 'string' },
  { name: 'state', type: 'string' },
  { name: 'revision', type: 'integer' },
  { name: 'started_at', type: 'string' },
  { name: 'ended_at', type: 'string' },
  { name: 'error', type: 'string' },
  { name: 'series', type: 'integer' },
  { name: 'points', type: 'integer' },
  { name: 'difference', type: 'string', nested: true },
  { name: 'files', type: 'string', nested: true },
] satisfies (Column & { name: keyof EditionRecord })[];
