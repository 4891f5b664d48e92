import { readFileSync } from 'node:fs';
import { SampleData } from '../../src/sample/sample-data.js';
import { sendRequest } from '../support/http.js';
import { startTestApp, testAdmin, type TestApp } from '../support/test-app.js';
import { docExamples, expectReply, parseCurl } from './examples.js';

/** The address of the service in the documentation. */
const ADDRESS = 'http://127.0.0.1:3000';

const PAGES = ['README.md', 'docs/api.md', 'docs/coming-from-fpma.md', 'docs/quality.md'];
/** What a reader replaces in a command. */
const WORDS = /\b(?:PASSWORD|ACCESS|REFRESH|FINDING)\b/g;

describe.each(PAGES)('the examples of %s', (file) => {
  const page = readFileSync(file, 'utf8');
  let service: TestApp;
  let base: string;
  /** The words in capitals that a reader replaces. */
  const words: Record<string, string> = { PASSWORD: testAdmin.password };

  beforeAll(async () => {
    service = await startTestApp();
    await service.app.get(SampleData).load();
    base = await service.app.getUrl();
  });
  afterAll(() => service.close());

  // In the order of the page: some depend on those before.
  it.each(docExamples(page))('line $line', async ({ command, reply }) => {
    const filledIn = command.replace(WORDS, (word) => words[word]!);
    const { method, url, headers, body } = parseCurl(filledIn);
    // Links in replies contain the address of the request.
    const received = await sendRequest(base, url.slice(ADDRESS.length), {
      method,
      headers: { Host: new URL(url).host, ...headers },
      body,
    });
    expectReply(received, reply);
    const tokens = /^\{"refresh":"(.*?)","access":"(.*?)"\}$/.exec(received.text);
    if (tokens !== null) [words.REFRESH, words.ACCESS] = [tokens[1]!, tokens[2]!];
    // The first one of a list.
    const finding = /"results":\[\{"id":(\d+),"rule":/.exec(received.text);
    if (finding !== null) words.FINDING = finding[1]!;
  });
});

it('every section of docs/api.md begins with an example', () => {
  const sections = readFileSync('docs/api.md', 'utf8').split(/^## /m).slice(1);
  const others = sections.filter((section) => {
    const [before = ''] = section.split('```sh\ncurl ', 1);
    // A heading and at most one sentence come before it.
    return before.length === section.length || before.split('\n\n').length > 3;
  });
  expect(others.map((section) => section.split('\n')[0])).toEqual([]);
});
