import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';

/** Milliseconds between two signs of life of a job. */
const HEARTBEAT_MS = 1000;
/** Milliseconds without one after which its process was killed or hangs. */
const SILENT_MS = 15_000;

/** How far a job is: bytes of its file, or rows. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A job that this process works on. */
export interface HeldJob {
  end(): Promise<void>;
}

/**
 * Begins a job that one process at a time may do, and tells the others how far it is.
 * @param path of a file that is there while the job runs
 * @returns null where another one does it
 */
export async function beginJob(path: string, progress: () => Progress): Promise<HeldJob | null> {
  const age = await ageOf(path);
  if (age !== null && age < SILENT_MS) return null;
  if (age !== null) await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return null;
  await file.close();
  let writing = Promise.resolve();
  const write = () => {
    writing = writing.then(() => writeFile(path, JSON.stringify(progress()))).catch(() => undefined);
  };
  write();
  const timer = setInterval(write, HEARTBEAT_MS).unref();
  return {
    async end() {
      clearInterval(timer);
      await writing;
      await rm(path, { force: true });
    },
  };
}

/** How far a job is; null where no process does it. @param path as for `beginJob` */
export async function progressOf(path: string): Promise<Progress | null> {
  const age = await ageOf(path);
  if (age === null || age >= SILENT_MS) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Progress;
  } catch {
    // It is being written.
    return { done: 0, total: 0 };
  }
}

/** Milliseconds since a file was written; null where there is none. */
async function ageOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : Date.now() - found.mtimeMs;
}
