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
interface HeldJob {
  end(): Promise<void>;
}

/**
 * Begins a job that one process at a time may do, and informs the others of its progress.
 * @param path of a file that is there while the job runs
 * @returns null where another one does it
 */
export async function beginJob(path: string, progress: () => Progress): Promise<HeldJob | null> {
  if (!(await createFile(path)) && !(await takeOver(path))) return null;
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

/** Takes the job of a process that was killed or hangs; one taker at a time. */
async function takeOver(path: string): Promise<boolean> {
  if (!(await isSilent(path))) return false;
  const taking = `${path}.taking`;
  // One that was killed here has left this file: the next request finds it gone.
  if (await isSilent(taking)) await rm(taking, { force: true });
  else if (await createFile(taking))
    try {
      // Another one may have taken it since its age was read.
      if (!(await isSilent(path))) return false;
      await rm(path, { force: true });
      return await createFile(path);
    } finally {
      await rm(taking, { force: true });
    }
  return false;
}

/** Whether there was no such file before. */
async function createFile(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
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

/** Whether a file is there that nobody has written to for long. */
async function isSilent(path: string): Promise<boolean> {
  const age = await ageOf(path);
  return age !== null && age >= SILENT_MS;
}

/** Milliseconds since a file was written; null where there is none. */
async function ageOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : Date.now() - found.mtimeMs;
}
