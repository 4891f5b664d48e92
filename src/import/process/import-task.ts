import type { ProblemCode } from '../../platform/errors/problem-codes.js';
import { ApiError, type ApiErrorOptions } from '../../platform/errors/api-error.js';
import { toApiErrorFromDriver } from '../../database/errors/driver-api-errors.js';
import { ImportRejected } from '../formats/batch.js';
import type { ImportRequest } from '../import.service.js';
import { InputTooLarge } from '../containers/unpack.js';
import type { ImportOptions } from '../formats/index.js';
import type { Mapping } from '../mappings/mapping.js';
import type { ProposedTable, WritingOptions } from '../mappings/propose/proposed-table.js';
import type { HeadOptions, InputHeads } from '../pipeline/input-heads.js';
import type { ImportReport } from '../pipeline/import-report.dto.js';
import type { SeriesComparison } from '../pipeline/series-comparison.js';

/** What a process of its own imports, or tries out. */
export interface ImportTask {
  readonly request: ImportRequest;
  /** Whether the input is read completely and then stored in one transaction. */
  readonly isAtomic: boolean;
  readonly input: TaskInput;
}

/** A file for which a process of its own proposes a mapping. */
export interface ProposalTask {
  readonly writing: WritingOptions;
  /** Of a zip archive with several. */
  readonly file?: string | undefined;
  readonly input: TaskInput;
}

/** A file whose series by two mappings are compared in a process of its own. */
export interface ComparisonTask {
  readonly compared: { readonly before: Mapping; readonly after: Mapping; readonly options: ImportOptions };
  readonly input: TaskInput;
}

/** The begins of the tables of a file, by which it is recognised. */
export interface HeadTask {
  readonly headsOf: HeadOptions & { readonly path: string };
}

/** The input of a task. */
interface TaskInput {
  /** Of the file; null where the bytes come as standard input. */
  readonly path: string | null;
  /** As that of `Input`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Most bytes after decompression. */
  readonly maxBytes: number;
}

/** How far a task is. */
export interface TaskProgress {
  /** Read of the input. */
  readonly bytes: number;
  /** Stored or tried out. */
  readonly rows: number;
}

/** What the process tells: how far it is, and how it has ended. */
export type TaskMessage =
  | ({ readonly kind: 'progress' } & TaskProgress)
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'proposal'; readonly proposed: ProposedTable }
  | { readonly kind: 'comparison'; readonly comparison: SeriesComparison }
  | ({ readonly kind: 'heads' } & InputHeads)
  | { readonly kind: 'failure'; readonly failure: TaskFailure };

/** Why a task has no report. */
export type TaskFailure =
  | ({ readonly kind: 'rejected'; readonly isTooLarge: boolean } & Pick<
      ImportRejected,
      'message' | 'choices'
    >)
  | ({ readonly kind: 'api'; readonly code: ProblemCode; readonly detail: string } & Pick<
      ApiErrorOptions,
      'errors' | 'headers' | 'extra'
    >)
  | { readonly kind: 'memory' }
  | { readonly kind: 'internal'; readonly stack: string };

/** An error as a message. */
export function failureOf(error: unknown): TaskFailure {
  if (error instanceof ImportRejected) {
    const { message, choices } = error;
    return { kind: 'rejected', message, choices, isTooLarge: error instanceof InputTooLarge };
  }
  const known = error instanceof ApiError ? error : toApiErrorFromDriver(error);
  if (known !== null) {
    const { code, detail, errors, headers, extra } = known;
    return { kind: 'api', code, detail, headers, extra, ...(errors && { errors }) };
  }
  // Of a thread that reads; where the memory of the process itself ends, it can tell nothing.
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'memory' };
  return { kind: 'internal', stack: (error as Error).stack ?? String(error) };
}
