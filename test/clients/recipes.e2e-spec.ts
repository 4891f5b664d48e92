import { readFileSync } from 'node:fs';
import { codeBlocks, docExamples, expectReply, parseCurl } from '../docs/examples.js';
import type { Json } from '../fuzz/api-document.js';
import { sendRequest } from '../support/http.js';
import { onSqlite } from '../support/engines.js';
import { startClientService, type ClientService } from './client-service.js';
import { undocumented } from './documented.js';
import { describeWith, pandas, r, run, type Runtime } from './run-client.js';
import { runTypeScript } from './run-typescript.js';

const page = readFileSync('docs/recipes.md', 'utf8');
const ADDRESS = 'http://127.0.0.1:3000';

/** The blocks of a language, each with what it prints, which is the block that follows. */
function recipes(language: string): { line: number; code: string; printed: string }[] {
  const blocks = codeBlocks(page);
  return blocks.flatMap(({ line, language: own, text }, index) =>
    own === language ? [{ line, code: text, printed: blocks[index + 1]!.text }] : [],
  );
}

const withoutLineEnds = (text: string) => text.replace(/[ \t]+$/gm, '').trimEnd();

onSqlite.describe('docs/recipes.md', () => {
  let service: ClientService;
  beforeAll(async () => (service = await startClientService()));
  afterAll(() => service?.close());

  it('has eleven questions, each with curl, Python and R', () => {
    const sections = page.split(/^## /m).slice(1);
    expect(sections).toHaveLength(11);
    for (const section of sections)
      for (const block of ['```sh\ncurl ', '```python\n', '```r\n']) expect(section).toContain(block);
  });

  it.each(docExamples(page))('curl, line $line', async ({ command, reply }) => {
    const { method, url, headers, body } = parseCurl(command);
    expectReply(await sendRequest(service.url, url.slice(ADDRESS.length), { method, headers, body }), reply);
  });

  it.each(recipes('ts'))('TypeScript, line $line', async ({ code, printed }) => {
    expect(withoutLineEnds(await runTypeScript(code, service.url))).toBe(withoutLineEnds(printed));
  });

  const languages: [Runtime, string, string][] = [
    [pandas, 'python', 'test/clients/run_blocks.py'],
    [r, 'r', 'test/clients/run_blocks.R'],
  ];
  for (const [runtime, language, runner] of languages)
    describeWith(runtime, runtime.name, () => {
      const blocks = recipes(language);
      let printed: string[] = [];
      beforeAll(async () => {
        const codes = JSON.stringify(blocks.map(({ code }) => code));
        const variables = { PRICEDATA_URL: service.url, XDG_CACHE_HOME: '/nowhere' };
        printed = JSON.parse(await run(runtime, [runner], variables, codes)) as string[];
      });

      it.each(blocks.map(({ line }, index) => ({ line, index })))('line $line', ({ index }) => {
        expect(withoutLineEnds(printed[index]!)).toBe(withoutLineEnds(blocks[index]!.printed));
      });
    });

  it('uses only addresses and parameters that the API document has', async () => {
    const document = (await service.app.http().get('/openapi.json')).body as Json;
    const read = service.requests.filter(({ url }) => url.startsWith('/api/'));
    expect(read.length).toBeGreaterThanOrEqual(10);
    expect(undocumented(document, read)).toEqual([]);
  });
});
