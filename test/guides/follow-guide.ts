import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A copy of the sources and tests, changed as a guide says. */
export interface GuidedCopy {
  /** Loads a module of the copy. */
  load<T>(path: string): Promise<T>;
  remove(): void;
}

/**
 * Follows the code blocks of a guide in `docs/`, in a copy of the project. A `ts` block is a new
 * file, whose path is in the comment on its first line. A `diff` block changes the file that its
 * first line names: the lines without `+` must occur there exactly once.
 * @throws Error for a block that does not apply
 */
export function followGuide(guide: string): GuidedCopy {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  for (const name of ['src', 'test']) cpSync(name, join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'package.json']) symlinkSync(resolve(name), join(folder, name));
  const text = readFileSync(`docs/${guide}`, 'utf8');
  for (const [, language, path, code] of text.matchAll(/^```(ts|diff)\n(?:\/\/|---) (\S+)\n(.*?)^```$/gms)) {
    const file = join(folder, path!);
    if (language === 'ts' && existsSync(file)) throw new Error(`${guide}: ${path} exists.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, language === 'ts' ? code! : changed(readFileSync(file, 'utf8'), code!, path!));
  }
  return {
    load: (path) => import(join(folder, path)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A text after the hunks of a diff, which are separated by `@@`. */
function changed(text: string, diff: string, path: string): string {
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.split(/(?<=\n)/);
    const side = (other: string) =>
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => line.slice(1))
        .join('');
    const parts = text.split(side('+'));
    if (parts.length !== 2) throw new Error(`${path}: occurs ${parts.length - 1} times:\n${side('+')}`);
    text = parts.join(side('-'));
  }
  return text;
}
