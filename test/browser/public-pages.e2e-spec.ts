import { describeInBrowser } from './in-browser.js';
import { pageTests } from './pages.tests.js';
import { scriptTests } from './scripts.tests.js';
import { taskTests } from './tasks.tests.js';
import { testsWithoutScripts } from './without-scripts.tests.js';

// One file, because each starts a service and a browser.
describeInBrowser('public pages', (shared) => {
  describe('as they come', () => pageTests(shared));
  describe('with scripts', () => scriptTests(shared));
  describe('from beginning to end', () => taskTests(shared));
  describe('without JavaScript', () => testsWithoutScripts(shared));
});
