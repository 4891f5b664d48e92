import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENTS } from './support/api-documents.js';
import { startTestApp } from './support/test-app.js';

interface LintReport {
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
}

const COMMAND = ['node_modules/@redocly/cli/bin/cli.js', 'lint'];
const OPTIONS = ['--extends', 'recommended', '--format', 'json'];

/** No requests to the network. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

/** The problems that Redocly's recommended rules find in a file. */
async function lint(file: string): Promise<string[]> {
  const command = spawn(process.execPath, [...COMMAND, file, ...OPTIONS], {
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const part of command.stdout) text += String(part);
  const { problems } = JSON.parse(text) as LintReport;
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('redocly lint', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'openapi-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const written = (text: string): string => {
    const file = join(folder, 'document.json');
    writeFileSync(file, text);
    return file;
  };

  it('finds nothing in the API documents with its recommended rules', async () => {
    const service = await startTestApp();
    const replies = await Promise.all(DOCUMENTS.map((address) => service.http().get(address)));
    await service.close();
    for (const { text } of replies) expect(await lint(written(text))).toEqual([]);
  });

  it('finds a path with a slash at its end, and a missing `security`', async () => {
    const responses = { 200: { description: 'x' }, 400: { description: 'x' } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1', license: { name: 'x', url: '/x' } },
      servers: [{ url: '/' }],
      paths: { '/a/': { get: { operationId: 'a', summary: 'x', responses } } },
    };
    expect(await lint(written(JSON.stringify(document)))).toEqual([
      expect.stringContaining('no-path-trailing-slash: '),
      expect.stringContaining('security-defined: '),
    ]);
  });
});
