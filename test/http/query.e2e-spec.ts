import { sendRequest, expectRawProblem, codesOf } from '../support/http.js';
import { type SampleApp, startSampleApp } from './sample-app.js';

let sample: SampleApp;
beforeAll(async () => (sample = await startSampleApp()));
afterAll(() => sample.app.close());

const echo = (query: string) => sendRequest(sample.url, `/api/v1/Echo?${query}`);
const values = async (query: string): Promise<unknown> => {
  const response = await echo(query);
  expect([query, response.status, response.status === 200 ? '' : response.text]).toEqual([query, 200, '']);
  return JSON.parse(response.text);
};

describe('Q1, Q2: dates', () => {
  it.each([
    '2023-02-30',
    '2023-02-29',
    '2023-13-01',
    '0000-00-00',
    '2023-1-5',
    '05/01/2023',
    '20230105',
    '2023-W05',
    '2023-01-05T00:00:00Z',
    '2023-01-05%2000:00',
    '%D9%A2%D9%A0%D9%A2%D9%A3-01-05',
    'today',
    '0999-01-01',
    '10000-01-01',
    '3+months+ago',
    '%202023-01-05',
  ])('start_date=%s is rejected', async (value) => {
    expect(codesOf(expectRawProblem(await echo(`start_date=${value}`), 'invalid'))).toEqual([
      ['start_date', 'invalid_date'],
    ]);
  });

  it('dates that exist are accepted', async () => {
    expect(await values('start_date=2024-02-29&end_date=9999-12-31')).toEqual({
      start_date: '2024-02-29',
      end_date: '9999-12-31',
    });
  });

  // Today is 2024-03-31.
  it.each([
    ['0 days ago', '2024-03-31'],
    ['1 day ago', '2024-03-30'],
    ['1 days ago', '2024-03-30'],
    ['2 weeks ago', '2024-03-17'],
    ['1 month ago', '2024-02-29'],
    ['13 months ago', '2023-02-28'],
    ['1 year ago', '2023-03-31'],
    ['1024 YEARS AGO', '1000-03-31'],
  ])('newerThan=%s is relative to the current UTC date', async (text, date) => {
    expect(await values(`newerThan=${encodeURIComponent(text)}`)).toEqual({ newerThan: date });
  });

  it.each([
    '1025 years ago',
    '999999 years ago',
    'a year ago',
    '-1 days ago',
    '1.5 days ago',
    '1  day ago',
    '1 fortnight ago',
  ])('newerThan=%s is rejected', async (text) => {
    const problem = expectRawProblem(await echo(`newerThan=${encodeURIComponent(text)}`), 'invalid');
    expect(codesOf(problem)).toEqual([['newerThan', 'invalid_date']]);
  });
});

describe('Q3: reversed ranges', () => {
  it.each([
    ['start_date=2024-01-02&end_date=2024-01-01', ['start_date', 'end_date']],
    ['newerThan=1+day+ago&olderThan=2+days+ago', ['newerThan', 'olderThan']],
  ])('%s is rejected with one violation for each parameter', async (query, names) => {
    const problem = expectRawProblem(await echo(query), 'invalid');
    expect(codesOf(problem)).toEqual(names.map((name) => [name, 'reversed_range']));
  });

  it('a range of one day is accepted', async () => {
    const query = 'start_date=2024-01-01&end_date=2024-01-01';
    expect(await values(query)).toEqual({ start_date: '2024-01-01', end_date: '2024-01-01' });
  });
});

describe('Q4 to Q9: lists and booleans', () => {
  it.each([
    ['price_types_ids', '1,x', 'invalid_item', 1],
    ['price_types_ids', '1.5', 'invalid_item', 0],
    ['price_types_ids', '-1', 'invalid_item', 0],
    ['price_types_ids', '0', 'invalid_item', 0],
    ['price_types_ids', '01', 'invalid_item', 0],
    ['price_types_ids', '1e3', 'invalid_item', 0],
    ['price_types_ids', '0x10', 'invalid_item', 0],
    ['price_types_ids', '1,,2', 'invalid_item', 1],
    ['price_types_ids', '2147483648', 'out_of_range', 0],
    ['price_types_ids', '99999999999999999999', 'out_of_range', 0],
    ['price_types_ids', '1,%D9%A2', 'invalid_item', 1],
    ['iso3_country_codes', 'KE', 'invalid_item', 0],
    ['iso3_country_codes', 'KENY', 'invalid_item', 0],
    ['iso3_country_codes', 'KEN,K3N', 'invalid_item', 1],
    ['iso3_country_codes', 'K%C3%89N', 'invalid_item', 0],
    ['periodicity', 'daily,hourly', 'invalid_choice', 1],
    ['commodity__hs_class_code', '1234567890123', 'invalid_item', 0],
    ['commodity__hs_class_code', '10a', 'invalid_item', 0],
    ['uuids', '1234', 'invalid_item', 0],
    ['admin_units', 'x'.repeat(201), 'too_long', 0],
    ['admin_units', 'a,"b', 'invalid_item', 1],
    ['admin_units', '"a"b', 'invalid_item', 0],
    ['admin_units', 'a,,b', 'invalid_item', 1],
  ])('%s=%s is rejected with %s', async (name, value, code, index) => {
    const problem = expectRawProblem(await echo(`${name}=${value}`), 'invalid');
    expect(problem.errors).toEqual([expect.objectContaining({ in: 'query', name, code, index })]);
    for (const { detail } of problem.errors ?? []) expect(detail.length).toBeLessThan(250);
  });

  it('Q4: a lone comma is two empty items', async () => {
    const problem = expectRawProblem(await echo('price_types_ids=,'), 'invalid');
    expect(problem.errors).toEqual([
      expect.objectContaining({ code: 'invalid_item', index: 0 }),
      expect.objectContaining({ code: 'invalid_item', index: 1 }),
    ]);
  });

  it('Q5, Q6, Q7: letter case does not matter', async () => {
    expect(await values('iso3_country_codes=ken,Uga&periodicity=Daily,WEEKLY&regional_average=TRUE')).toEqual(
      {
        iso3_country_codes: ['KEN', 'UGA'],
        periodicity: ['daily', 'weekly'],
        regional_average: true,
      },
    );
    expect(await values('regional_average=0')).toEqual({ regional_average: false });
  });

  it('Q6: an invalid choice is rejected with the allowed values', async () => {
    const problem = expectRawProblem(await echo('periodicity=hourly'), 'invalid');
    expect(problem.errors).toEqual([
      {
        in: 'query',
        name: 'periodicity',
        code: 'invalid_choice',
        detail: 'Item 1 of periodicity must be one of daily, weekly, monthly; got "hourly".',
        allowed: ['daily', 'weekly', 'monthly'],
        index: 0,
      },
    ]);
  });

  it.each(['yes', '2', 'tru', '10', 'wahr'])('Q7: regional_average=%s is rejected', async (value) => {
    const problem = expectRawProblem(await echo(`regional_average=${value}`), 'invalid');
    expect(codesOf(problem)).toEqual([['regional_average', 'invalid_boolean']]);
  });

  it('Q9: text items are literal, and may contain commas in quotes', async () => {
    const query = `admin_units=${encodeURIComponent(`50%_;--,O'Brien, "Foo, ""Bar""" ,e\u0301`)}`;
    expect(await values(query)).toEqual({ admin_units: ['50%_;--', "O'Brien", 'Foo, "Bar"', 'é'] });
  });

  it('Q15: the items of a repeated list are combined without duplicates', async () => {
    expect(await values('price_types_ids=3,%201%20,3&price_types_ids=&price_types_ids=2,1')).toEqual({
      price_types_ids: [3, 1, 2],
    });
  });

  it('Q19: a list may have 500 items and no more', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');
    expect(await values(`price_types_ids=${items(500)}`)).toMatchObject({ price_types_ids: { length: 500 } });
    const problem = expectRawProblem(await echo(`price_types_ids=${items(501)}`), 'invalid');
    expect(problem.errors).toEqual([
      {
        in: 'query',
        name: 'price_types_ids',
        code: 'too_many_items',
        detail: 'price_types_ids must have at most 500 items; got 501.',
        max: 500,
      },
    ]);
  });
});

describe('Q10 to Q13: pages', () => {
  it.each(['0', '-1', '1.5', 'abc', '1e2', '%2B1', '+1', '01'])('page=%s is rejected', async (value) => {
    expect(codesOf(expectRawProblem(await echo(`page=${value}`), 'invalid'))).toEqual([
      ['page', 'invalid_integer'],
    ]);
  });

  it.each(['0', '-1', '1.5', 'abc', '1e2', '%2B1'])('page_size=%s is rejected', async (value) => {
    expect(codesOf(expectRawProblem(await echo(`page_size=${value}`), 'invalid'))).toEqual([
      ['page_size', 'invalid_integer'],
    ]);
  });

  it('Q13: a page_size over the maximum is rejected, not reduced', async () => {
    const problem = expectRawProblem(await echo('page_size=10001'), 'invalid');
    expect(problem.errors).toEqual([
      {
        in: 'query',
        name: 'page_size',
        code: 'out_of_range',
        detail: 'page_size must be between 1 and 10000; got "10001".',
        max: 10000,
      },
    ]);
    expect(await values('page_size=10000')).toEqual({ page_size: 10000 });
  });

  it.each(['4', '999999999999999999999999'])(
    'Q11: page %s of three is 404 with the number of the last page',
    async (page) => {
      const response = await sendRequest(sample.url, `/api/v1/List?page=${page}`);
      expect(expectRawProblem(response, 'not_found').last_page).toBe(3);
    },
  );

  it('Q11: the first page of an empty list is empty', async () => {
    const { items } = sample.store;
    sample.store.items = [];
    sample.store.revision = 'empty';
    const response = await sendRequest(sample.url, '/api/v1/List?page=1');
    sample.store.items = items;
    sample.store.revision = '1';
    expect(JSON.parse(response.text)).toEqual({ count: 0, next: null, previous: null, results: [] });
  });
});

describe('Q14, Q16, Q17: parameter names', () => {
  it.each(['page', 'page_size', 'start_date', 'newerThan', 'regional_average'])(
    '%s is rejected when it is repeated',
    async (name) => {
      expect(codesOf(expectRawProblem(await echo(`${name}=1&${name}=1`), 'invalid'))).toEqual([
        [name, 'repeated_parameter'],
      ]);
    },
  );

  it.each([
    ['page[size]=1', 'page[size]'],
    ['price_types_ids[]=1', 'price_types_ids[]'],
    ['__proto__[x]=1', '__proto__[x]'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString', 'toString'],
    ['token=abc', 'token'],
    ['Format=json', 'Format'],
  ])('%s is an unknown parameter', async (query, name) => {
    const problem = expectRawProblem(await echo(query), 'invalid');
    expect(codesOf(problem)).toEqual([[name, 'unknown_parameter']]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it.each([
    ['iso3_country_cods', 'iso3_country_codes'],
    ['newerthan', 'newerThan'],
    ['pagesize', 'page_size'],
    ['start_dat', 'start_date'],
    ['strat_date', 'start_date'],
  ])('%s is rejected with the suggestion %s', async (name, suggestion) => {
    const problem = expectRawProblem(await echo(`${name}=1`), 'invalid');
    expect(problem.errors).toEqual([
      {
        in: 'query',
        name,
        code: 'unknown_parameter',
        detail: `There is no parameter ${name}. Did you mean ${suggestion}?`,
        suggestion,
      },
    ]);
  });

  it('a name that resembles no parameter is rejected without a suggestion', async () => {
    const problem = expectRawProblem(await echo('wholesale=1'), 'invalid');
    expect(problem.errors).toEqual([
      {
        in: 'query',
        name: 'wholesale',
        code: 'unknown_parameter',
        detail: 'There is no parameter wholesale.',
      },
    ]);
  });

  it('format and _ are accepted everywhere', async () => {
    expect(await values('format=json&_=123&_=456')).toEqual({});
  });

  it.each([
    ['format=xml', 'invalid_choice'],
    ['format=csv', 'invalid_choice'],
    ['format=json&format=json', 'repeated_parameter'],
  ])('%s is rejected by a route that only has JSON', async (query, code) => {
    expect(codesOf(expectRawProblem(await echo(query), 'invalid'))).toEqual([['format', code]]);
  });

  it('routes that ignore unknown parameters name at most 20 of them in a header', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `p${index}`);
    const response = await sendRequest(
      sample.url,
      `/api/v1/Lenient?page=2&limit=5&caf%C3%A9=1&limit=6&${names.join('&')}`,
    );
    expect(JSON.parse(response.text)).toEqual({ page: 2 });
    expect(response.headers['x-ignored-parameters']).toBe(
      ['limit', 'caf%C3%A9', ...names.slice(0, 18)].join(', '),
    );
  });

  it('a route without parameters rejects any', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/5?expand=1');
    expect(codesOf(expectRawProblem(response, 'invalid'))).toEqual([['expand', 'unknown_parameter']]);
  });
});

it('Q18: a parameter with an empty value counts as absent', async () => {
  const query = 'start_date=&page=&regional_average=&iso3_country_codes=&periodicity&page=2';
  expect(await values(query)).toEqual({ page: 2 });
});

describe('Q20: percent-encoding and UTF-8', () => {
  it.each(['%zz', '%', '%4', '%FF', '%C3', '%C0%80', '%ED%A0%80', '%00', '%0A', '%1b', '%7F', '%C2%85'])(
    'the value %s is rejected',
    async (value) => {
      const problem = expectRawProblem(await echo(`admin_units=${value}`), 'invalid');
      expect(codesOf(problem)).toEqual([['admin_units', 'invalid_encoding']]);
    },
  );

  it('the name %ff is rejected', async () => {
    expect(expectRawProblem(await echo('%ff=1'), 'invalid').errors).toEqual([
      {
        in: 'query',
        code: 'invalid_encoding',
        detail: 'A parameter name is not percent-encoded UTF-8 without control characters.',
      },
    ]);
  });

  it.each(['/api/v1/Thing/%zz', '/api/v1/Thing/%FF', '/api/v1/Thing/a%00b', '/%0d%0a'])(
    'the path %s is rejected',
    async (path) => {
      const problem = expectRawProblem(await sendRequest(sample.url, path), 'invalid');
      expect(problem.errors).toEqual([
        {
          in: 'path',
          code: 'invalid_encoding',
          detail: 'The path is not percent-encoded UTF-8 without control characters.',
        },
      ]);
    },
  );

  it('a route without parameters rejects invalid encoding as well', async () => {
    const problem = expectRawProblem(await sendRequest(sample.url, '/api/v1/Thing/5?x=%zz'), 'invalid');
    expect(codesOf(problem)).toEqual([['x', 'invalid_encoding']]);
  });

  it('emoji, right-to-left text and blanks encoded as + are accepted', async () => {
    const text = '😀 שלום عربي';
    const plus = encodeURIComponent(text).replaceAll('%20', '+');
    expect(await values(`admin_units=${plus}`)).toEqual({ admin_units: [text] });
  });
});

it('G2: all violations of a request are reported together', async () => {
  const query =
    'page=0&start_date=x&x=1&periodicity=a&admin_units=%ff&newerThan=2024-02-02&olderThan=2024-02-01';
  expect(codesOf(expectRawProblem(await echo(query), 'invalid'))).toEqual([
    ['admin_units', 'invalid_encoding'],
    ['x', 'unknown_parameter'],
    ['periodicity', 'invalid_choice'],
    ['start_date', 'invalid_date'],
    ['page', 'invalid_integer'],
    ['newerThan', 'reversed_range'],
    ['olderThan', 'reversed_range'],
  ]);
});

it('G1, G3: all violations are counted, 20 are listed, and values truncated to 64 characters', async () => {
  const many = Array.from({ length: 30 }, (_, index) => `u${index}=1`).join('&');
  const problem = expectRawProblem(await echo(many), 'invalid');
  expect(problem.detail).toBe('30 parameters are not valid.');
  expect(problem.errors).toHaveLength(20);

  const long = '😀'.repeat(100);
  const one = expectRawProblem(await echo(`start_date=${encodeURIComponent(long)}`), 'invalid');
  expect(one.detail).toBe('1 parameter is not valid.');
  expect(one.errors?.[0]?.detail).toBe(
    `start_date must be a date written YYYY-MM-DD; got "${'😀'.repeat(64)}".`,
  );
  const name = expectRawProblem(await echo(`${'a'.repeat(8192)}=1`), 'invalid');
  expect(name.errors).toEqual([
    {
      in: 'query',
      name: 'a'.repeat(64),
      code: 'unknown_parameter',
      detail: `There is no parameter ${'a'.repeat(64)}.`,
    },
  ]);
});

it('R2: a value of 8 KiB is rejected for each kind of parameter', async () => {
  const names = [
    'iso3_country_codes',
    'periodicity',
    'start_date',
    'newerThan',
    'uuids',
    'page',
    'regional_average',
    'market_types',
  ];
  for (const name of names) expectRawProblem(await echo(`${name}=${'a'.repeat(8192)}`), 'invalid');
});
