import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnvironment } from './load-environment.js';

describe('a .env that cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-dotenv-'));
  const file = join(folder, '.env');
  afterEach(() => rmSync(file, { recursive: true, force: true }));

  it('is called a folder where it is one', () => {
    mkdirSync(file);
    expect(() => loadEnvironment(file)).toThrow(
      `The settings are not valid:\n  The file ${file} cannot be opened (it is a folder).`,
    );
  });

  // What Node loads it with says of every such file that there is none.
  it('has the reason that the system gives', async () => {
    const server = createServer().listen(file);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(() => loadEnvironment(file)).toThrow(`The file ${file} cannot be opened (ENXIO).`);
    await new Promise((resolve) => server.close(resolve));
  });
});
