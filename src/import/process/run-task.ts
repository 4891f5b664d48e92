import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ImportRejected } from '../formats/batch.js';
import type { ImportService } from '../import.service.js';
import { createInput, inputText } from '../pipeline/input.js';
import { inputHeads } from '../pipeline/input-heads.js';
import type { KnownNames } from '../mappings/propose/proposal.js';
import { proposeForTable } from '../mappings/propose/proposed-table.js';
import type { SeriesComparer } from '../pipeline/series-comparison.js';
import {
  type ComparisonTask,
  failureOf,
  type HeadTask,
  type ImportTask,
  type ProposalTask,
  type TaskMessage,
} from './import-task.js';

/** Bytes that a reader gets at once. */
const CHUNK_BYTES = 64 * 1024;
/** Milliseconds between two messages about the progress. */
const PROGRESS_MS = 500;

/**
 * Does a task, apart from the process.
 * @param bytes the input where the task has no path
 * @param stop ends the reading of an input that is stored while it is read: what is stored stays
 * @param tell called with the progress, and at last with how it has ended
 */
export async function runTask(
  imports: ImportService,
  { request, isAtomic, input: { path, name, size, maxBytes } }: ImportTask,
  bytes: Readable,
  stop: AbortSignal,
  tell: (message: TaskMessage) => void,
): Promise<void> {
  const source = path === null ? bytes : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const input = createInput(isAtomic ? source : untilStopped(source, stop), name, size, maxBytes, () =>
    source.destroy(),
  );
  let rows = 0;
  const timer = setInterval(() => tell({ kind: 'progress', bytes: input.bytesRead(), rows }), PROGRESS_MS);
  try {
    const report = isAtomic
      ? await imports.importAtomically(request, input)
      : await imports.import(request, input, (more) => (rows += more));
    tell({ kind: 'report', report });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  } finally {
    clearInterval(timer);
  }
}

/**
 * Proposes a mapping for a file, apart from the process.
 * @param tell called with how it has ended
 */
export async function runProposal(
  known: () => Promise<KnownNames>,
  { writing, file, input: { path, name, maxBytes } }: ProposalTask,
  stop: AbortSignal,
  tell: (message: TaskMessage) => void,
): Promise<void> {
  const source = createReadStream(path!, { highWaterMark: CHUNK_BYTES });
  try {
    const { encoding } = writing;
    const text = inputText({ bytes: untilStopped(source, stop), maxBytes }, { encoding, file });
    tell({ kind: 'proposal', proposed: await proposeForTable(text, name, await known(), writing) });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  } finally {
    source.destroy();
  }
}

/**
 * Compares the series of a file by two mappings, apart from the process.
 * @param tell called with how it has ended
 */
export async function runComparison(
  comparer: SeriesComparer,
  { compared: { options, ...mappings }, input: { path, name, size, maxBytes } }: ComparisonTask,
  stop: AbortSignal,
  tell: (message: TaskMessage) => void,
): Promise<void> {
  const open = () => {
    const source = createReadStream(path!, { highWaterMark: CHUNK_BYTES });
    return createInput(untilStopped(source, stop), name, size, maxBytes, () => source.destroy());
  };
  try {
    tell({ kind: 'comparison', comparison: await comparer.compare(open, options, mappings) });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  }
}

/** Reads the begins of the tables of a file. @param tell called with them, or why there are none */
export async function runHeadTask(
  { headsOf: { path, ...options } }: HeadTask,
  tell: (message: TaskMessage) => void,
): Promise<void> {
  try {
    const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    tell({ kind: 'heads', ...(await inputHeads(bytes, options)) });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  }
}

/** @throws ImportRejected once it is stopped */
async function* untilStopped(source: Readable, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (stop.aborted) throw new ImportRejected('The service was shut down.');
    yield chunk as Uint8Array;
  }
}
