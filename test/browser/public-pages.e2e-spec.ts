import { onSqlite } from '../support/engines.js';
import { deskTests, deskTestsWithoutScripts } from './desk.tests.js';
import { extremeTests } from './extremes.tests.js';
import { describeInBrowser } from './in-browser.js';
import { pageTests } from './pages.tests.js';
import { scriptTests } from './scripts.tests.js';
import { storeTaskData } from './task-data.js';
import { deskTaskTests, readingTests } from './tasks.tests.js';
import { testsWithoutScripts } from './without-scripts.tests.js';

// One file, because each starts a service and a browser. How pages look and are operated does not
// depend on the database, so that one run is enough.
describeInBrowser('pages', (shared) => {
  onSqlite.describe('as they come', () => pageTests(shared));
  onSqlite.describe('with scripts', () => scriptTests(shared));
  onSqlite.describe('without JavaScript', () => testsWithoutScripts(shared));
  describe('from beginning to end', () => {
    beforeAll(() => storeTaskData(shared.origin));
    onSqlite.describe('for readers', () => readingTests(shared));
    deskTaskTests(shared);
    describe('at the desk', () => deskTests(shared));
    describe('at the desk without JavaScript', () => deskTestsWithoutScripts(shared));
  });
});

describeInBrowser(
  'pages of rare data',
  (shared) => onSqlite.describe('as they come', () => extremeTests(shared)),
  { SAMPLE_DATA: 'off' },
);
