import type { Mapping } from '../../import/mappings/mapping.js';
import type { StoredMapping } from '../../import/mappings/stored/mapping-store.js';
import type { SeriesComparison } from '../../import/pipeline/series-comparison.js';
import type { GuessedCountry } from './guessed-country.js';

/**
 * How far an upload is. Whether a process works on it is another matter: see `JobLeases`.
 */
type UploadStep =
  /** To be checked. */
  | 'received'
  | 'checked'
  /** No format knows it: it waits for a mapping. */
  | 'described'
  /** No format reads such a file, whatever the form says: it is removed. */
  | 'unreadable'
  /** The import has begun. */
  | 'importing'
  /** It has ended, as the report says. */
  | 'imported';

/** The files of an archive with several and the sheets of a workbook, by the field that chooses. */
export type UploadChoices = Readonly<Partial<Record<'file' | 'sheet', readonly string[]>>>;

/** What is known of an uploaded file. */
export interface UploadState {
  readonly id: string;
  /** Of the file, as the browser names it. */
  readonly name: string;
  readonly bytes: number;
  /** Who has uploaded it. */
  readonly username: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** How it is to be imported: the fields of the form, as a query string. */
  fields: string;
  /** As the form says, or as it was recognised; null where it was not. */
  format: string | null;
  step: UploadStep;
  /** The stored mapping that is its format, as it was when it was last checked or saved. */
  stored?: Pick<StoredMapping, 'mapping' | 'version'> | null;
  /** By which it is read in place of a format; null or missing without one. */
  mapping?: Mapping | null;
  /** The fields of the form that says the mapping, as a query string. */
  mappingFields?: string;
  /** Null where nothing says it; missing of an upload that a former release has checked. */
  guess?: GuessedCountry | null;
  /** The names to choose from; missing where none are known. */
  choices?: UploadChoices;
  /** Why the last check or import has no report. */
  error: string | null;
  /** Once it is imported. */
  changeSetId: number | null;
}

/** A mapping that is to replace a stored one, and what that means for the series of the file. */
export interface MappingReplacement {
  readonly mapping: Mapping;
  readonly reason: string;
  /** Of the stored one. */
  readonly version: number;
  /** Whether that has changed since another version was confirmed. */
  readonly isChanged: boolean;
  /** Null where the file could not be read. */
  readonly comparison: SeriesComparison | null;
  /** Why it could not be read. */
  readonly error: string | null;
}

/** Whether there is nothing to do with an upload any more. */
export const isOver = ({ step }: UploadState): boolean => step === 'imported' || step === 'unreadable';
