import TestSequencer from '@jest/test-sequencer';

/** Files of minutes: begun last, they would keep one process busy while the others have ended. */
const LONGEST = ['/test/browser/public-pages.', '/test/import/own-process.'];

/** Jest's order, by size where no earlier run is known, after the files that take longest. */
export default class LongestFirst extends (TestSequencer.default ?? TestSequencer) {
  sort(tests) {
    const isLong = ({ path }) => LONGEST.some((part) => path.includes(part));
    const ordered = super.sort(tests);
    return [...ordered.filter(isLong), ...ordered.filter((test) => !isLong(test))];
  }
}
