import { mediaTypesOf, negotiate } from './accept.js';

const all = ['json', 'csv', 'ndjson'];

it.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/json;q=0.1, application/x-ndjson;q=0.2', 'ndjson'],
  ['text/csv;q=1, */*;q=0.9', 'csv'],
  ['*/*;q=0.1, application/json;q=0', 'csv'],
  ['application/*;q=0, */*', 'csv'],
  ['application/*;q=0.5, application/json;q=0.1', 'ndjson'],
  ['application/json; charset=utf-8; q=0.3, text/csv;q=0.2', 'json'],
  ['text/html, garbage', null],
  ['*/*;q=0', null],
  ['text/csv;q=2', 'json'],
])('%s asks for %s', (accept, format) => {
  expect(negotiate(accept, all)).toBe(format);
});

it('a route without formats of its own takes anything', () => {
  expect(negotiate('image/png', [])).toBe('json');
});

it('media types are named without their parameters', () => {
  expect(mediaTypesOf(all)).toEqual(['application/json', 'text/csv', 'application/x-ndjson']);
});
