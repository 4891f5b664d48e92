import type { Browser } from 'playwright-core';
import { openDatabase } from '../support/open-database.js';
import { BROWSER_PATH, hasBrowser, launch } from './chromium.js';
import { startService } from './service.js';

/** What the tests of a file share. */
export interface InBrowser {
  browser: Browser;
  origin: string;
  databaseUrl: string;
}

/**
 * `describe` with a browser and the built service, on the sample unless settings leave it out;
 * skipped, with a message, where there is no browser.
 */
export function describeInBrowser(
  title: string,
  tests: (shared: InBrowser) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  if (!hasBrowser) {
    process.stdout.write(`Skipped, needs a browser at ${BROWSER_PATH} (BROWSER_PATH): ${title}\n`);
    return describe.skip(title, () => tests({} as InBrowser));
  }
  describe(title, () => {
    const shared = {} as InBrowser;
    const cleanUp: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      const { url, database, drop } = await openDatabase();
      cleanUp.push(drop);
      await database.close();
      const service = await startService(url, settings);
      cleanUp.push(service.stop);
      shared.origin = service.origin;
      shared.databaseUrl = url;
      shared.browser = await launch();
      cleanUp.push(() => shared.browser.close());
    }, 180_000);
    afterAll(async () => {
      for (const step of cleanUp.reverse()) await step();
    });
    tests(shared);
  });
}
