import { readFileSync } from 'node:fs';
import { readRecording } from '../record/recording.js';
import { withoutProcess } from './any-process.js';
import { compareRecordings, KINDS, type Comparison, type Difference } from './compare.js';
import { readTexts } from './texts.js';

export interface CompareOptions {
  /** Files with texts that were changed on purpose. */
  texts: readonly string[];
  /** Whether what depends on the process that answers may differ. */
  anyProcess: boolean;
}

/**
 * Compares two recordings and logs the differences.
 * @returns whether nothing differs
 */
export function compareFiles(
  oldFile: string,
  newFile: string,
  { texts, anyProcess }: CompareOptions,
  log: (line: string) => void,
): boolean {
  const allowed = texts.flatMap((file) => readTexts(readFileSync(file, 'utf8')));
  let [old, newer] = [readRecording(oldFile), readRecording(newFile)];
  if (anyProcess) {
    const comparable = withoutProcess(old, newer);
    ({ old, newer } = comparable);
    log(`${comparable.throttled} replies left out: throttled in one recording only.`);
    log(`${comparable.framed} replies are streamed in one recording, and sent whole in the other.`);
  }
  const comparison = compareRecordings(old, newer, allowed);
  for (const line of reportLines(comparison)) log(line);
  // Two recordings that are empty have nothing in common.
  return comparison.compared > 0 && comparison.differences.length === 0;
}

/** The report: differences by kind, equal ones together, then the allowed changes. */
export function* reportLines(comparison: Comparison): Generator<string> {
  const { compared, differences, texts, renamedTags, recased } = comparison;
  for (const kind of KINDS) {
    const groups = byWords(differences.filter((difference) => difference.kind === kind));
    if (groups.size === 0) continue;
    yield `== ${kind}`;
    for (const [what, group] of [...groups].sort(([, one], [, other]) => other.length - one.length)) {
      yield* groupLines(what, group);
    }
    yield '';
  }
  const differing = new Set(differences.map(({ id }) => id)).size;
  yield `${compared} replies compared: ${differing === 0 ? 'no difference' : `${differing} differ`}.`;
  if (renamedTags > 0) yield `${renamedTags} entity tags have another value, each the same one everywhere.`;
  if (recased.length > 0) yield `Fields in other capitals: ${recased.join(', ')}.`;
  for (const { change, count } of texts) {
    yield `${count === 0 ? 'never used' : `used ${count} times`}: ${change}`;
  }
}

function* groupLines(what: string, group: readonly Difference[]): Generator<string> {
  yield `${what}   (${group.length})`;
  for (const { id } of group) yield `    ${id}`;
}

function byWords(differences: readonly Difference[]): Map<string, Difference[]> {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const group = groups.get(difference.what);
    if (group === undefined) groups.set(difference.what, [difference]);
    else group.push(difference);
  }
  return groups;
}
