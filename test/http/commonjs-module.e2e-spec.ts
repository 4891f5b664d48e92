import type { Type } from '@nestjs/common';
import { createRequire } from 'node:module';
import { startTestApp } from '../support/test-app.js';
// @ts-expect-error Jest loads it, too, as it is, before each test file.
import { provideNest } from '../support/provide-nest.mjs';

interface Package {
  GreetingService: Type<{ greet(): string }>;
  GreetingModule: Type;
}

it('a module of a package in CommonJS is loaded and injected', async () => {
  await (provideNest as () => Promise<void>)();
  const load = createRequire(import.meta.url);
  const { GreetingModule, GreetingService } = load('../fixtures/commonjs-module/index.cjs') as Package;
  const service = await startTestApp({}, [GreetingModule]);
  expect(service.app.get(GreetingService).greet()).toBe('hello');
  await service.close();
});
