import { Environment } from '../../src/config/environment.js';
import { EditionMaking } from '../../src/editions/edition-making.js';
import { EditionProcess } from '../../src/editions/edition-process.js';
import { Editions, type BegunEdition } from '../../src/editions/editions.js';
import type { TestApp } from '../support/test-app.js';

/** Makes editions in the process of the test, where the service starts another. */
export function makeEditions(service: TestApp) {
  const editions = service.app.get(Editions);
  const environment = service.app.get(Environment);
  const making = new EditionMaking(service.database, service.unitOfWork, environment, editions);
  let begun: BegunEdition | null = null;
  service.app.get(EditionProcess).start = (edition) => {
    begun = edition;
  };
  return {
    /** Begins an edition as `POST Edition/` does, and makes it. */
    async make(title: string, revision?: number, stop = new AbortController().signal): Promise<void> {
      const edition = await editions.begin({ title, revision, caller: null, requestId: null });
      await making.make(edition, stop);
    },
    /** Makes what `POST Edition/` has begun. */
    async makeBegun(): Promise<void> {
      await making.make(begun!, new AbortController().signal);
    },
  };
}
