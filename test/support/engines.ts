import { testServerUrl } from './test-database.js';

/** `describe` and `it` for what only one kind of engine has; elsewhere skipped, with a message. */
function forEngine(isUsed: boolean, name: string) {
  const noticed = (title: string) => process.stdout.write(`Skipped, needs ${name}: ${title}\n`);
  return {
    describe: (title: string, tests: () => void) => {
      if (isUsed) return describe(title, tests);
      noticed(title);
      describe.skip(title, tests);
    },
    it: (title: string, test: () => Promise<void>) => {
      if (isUsed) return it(title, test);
      noticed(title);
      it.skip(title, test);
    },
  };
}

export const onServer = forEngine(testServerUrl !== null, 'a database server (TEST_DATABASE_URL)');
export const onSqlite = forEngine(testServerUrl === null, 'SQLite');
