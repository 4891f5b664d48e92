import { readdirSync, readFileSync } from 'node:fs';
import { SampleData } from '../../src/sample/sample-data.js';
import { sendRequest } from '../support/http.js';
import { startTestApp, testAdmin, type TestApp } from '../support/test-app.js';
import { docExamples, expectReply, parseCurl } from './examples.js';

/** The address of the service in the documentation. */
const ADDRESS = 'http://127.0.0.1:3000';

/** The pages of the API, in the order of their index: some examples depend on pages before. */
const API_PAGES = Array.from(
  readFileSync('docs/api/README.md', 'utf8').matchAll(/^\| \[.*\]\((.*\.md)\) \|/gm),
  ([, file]) => `docs/api/${file}`,
);
/** Documentation with examples, each part for a new service. */
const PARTS: [string, string[]][] = [
  ['README.md', ['README.md']],
  ['docs/api/', API_PAGES],
  ['docs/coming-from-fpma.md', ['docs/coming-from-fpma.md']],
  ['docs/quality.md', ['docs/quality.md']],
];
/** What a reader replaces in a command. */
const WORDS = /\b(?:PASSWORD|ACCESS|REFRESH|FINDING)\b/g;

describe.each(PARTS)('the examples of %s', (_, files) => {
  const examples = files.flatMap((file) =>
    docExamples(readFileSync(file, 'utf8')).map((example) => ({ file, ...example })),
  );
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

  // In the order of the pages: some depend on those before.
  it.each(examples)('$file, line $line', async ({ command, reply }) => {
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

describe('docs/api/', () => {
  it('has no page that its index does not have', () => {
    const files = readdirSync('docs/api').filter((file) => file !== 'README.md');
    expect(API_PAGES.toSorted()).toEqual(files.map((file) => `docs/api/${file}`).sort());
  });

  it.each(API_PAGES)('begins each page and section with an example: %s', (file) => {
    const [, page = '', ...sections] = readFileSync(file, 'utf8').split(/^##? /m);
    // A heading and at most one paragraph come before it.
    const begins = (section: string, example: RegExp) =>
      section
        .split('\n\n')
        .slice(1, 3)
        .some((paragraph) => example.test(paragraph));
    const others = [
      ...[page].filter((text) => !begins(text, /^```sh\ncurl /)),
      // Not every reply can be asked for: an identity provider signs the tokens of its users.
      ...sections.filter((text) => !begins(text, /^```(?:sh\ncurl |json\n)/)),
    ];
    expect(others.map((text) => text.split('\n')[0])).toEqual([]);
  });
});
