import type { IncomingHttpHeaders } from 'node:http';
import { checkPreconditions, preconditions } from './etag.js';

const outcome = (headers: IncomingHttpHeaders, strict = false): string => {
  try {
    checkPreconditions(preconditions({ headers }), () => 'now', strict);
    return 'fine';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it.each([
  [{}, 'fine'],
  [{ 'if-match': '"now"' }, 'fine'],
  [{ 'if-match': '"now-br"' }, 'fine'],
  [{ 'if-match': '"old", "now"' }, 'fine'],
  [{ 'if-match': '*' }, 'fine'],
  [{ 'if-match': '"old"' }, 'precondition_failed'],
  [{ 'if-match': 'W/"now"' }, 'precondition_failed'],
  [{ 'if-match': 'now' }, 'precondition_failed'],
  [{ 'if-match': '' }, 'precondition_failed'],
  [{ 'if-none-match': '*' }, 'precondition_failed'],
  [{ 'if-none-match': 'W/"now"' }, 'precondition_failed'],
  [{ 'if-none-match': '"old"' }, 'fine'],
  [{ 'if-match': '"now"', 'if-none-match': '*' }, 'precondition_failed'],
])('%j is %s', (headers, expected) => {
  expect(outcome(headers)).toBe(expected);
});

it('strict mode wants an If-Match', () => {
  expect(outcome({}, true)).toBe('precondition_required');
  expect(outcome({ 'if-none-match': '"old"' }, true)).toBe('precondition_required');
  expect(outcome({ 'if-match': '"now"' }, true)).toBe('fine');
});
