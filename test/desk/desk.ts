import type { Test } from 'supertest';
import { BROWSER_ACCEPT, expectSafe, PAGE_POLICY } from '../explorer/pages.js';
import { testAdmin, type TestApp } from '../support/test-app.js';

/** A browser at the desk: it keeps the cookie, and sends what browsers send. */
export class DeskBrowser {
  cookie: string | null = null;

  constructor(readonly service: TestApp) {}

  /** Opens an address. */
  open(address: string): Test {
    return this.send(this.service.http().get(address));
  }

  /** Opens a page, and asserts what all pages of the desk have in common. @returns its HTML */
  async page(address: string): Promise<string> {
    const response = await this.open(address);
    expectDeskPage(response, 200);
    return response.text;
  }

  /** Sends a form as it is, without the token of the session. */
  post(address: string, fields: Record<string, string>): Test {
    return this.send(this.service.http().post(address)).type('form').send(fields);
  }

  /** Sends a form with the token that a page has given its forms. */
  async submit(address: string, fields: Record<string, string> = {}, from = '/desk/'): Promise<Test> {
    return this.post(address, { ...fields, form_token: tokenOf(await this.page(from)) });
  }

  /** Signs in. */
  async login(account: { username: string; password: string } = testAdmin): Promise<this> {
    const response = await this.post('/desk/login', account);
    expect([response.status, response.headers.location]).toEqual([303, '/desk/']);
    this.cookie = cookieOf(response.headers).split(';')[0]!;
    return this;
  }

  private send(test: Test): Test {
    const sent = test.set('Accept', BROWSER_ACCEPT).set('Sec-Fetch-Site', 'same-origin');
    return this.cookie === null ? sent : sent.set('Cookie', this.cookie);
  }
}

/** Writes by the API, as the administrator. */
export async function apiOf(service: TestApp) {
  const admin = await service.authHeader();
  return (method: 'post' | 'put' | 'patch' | 'delete', path: string, body: object = {}) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
}
export type ApiOf = Awaited<ReturnType<typeof apiOf>>;

/** The one `Set-Cookie` of a response. */
export function cookieOf(headers: Record<string, unknown>): string {
  const cookies = headers['set-cookie'] as string[] | undefined;
  expect(cookies).toHaveLength(1);
  return cookies![0]!;
}

/** The token that the forms of a page have. */
export const tokenOf = (html: string): string => /name="form_token" value="([\w-]{43})"/.exec(html)![1]!;

/** The hidden fields of the form that is sent to an address with this in it. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((text) => new RegExp(`^[^>]*action="[^"]*${action}`).test(text))!;
  const inputs = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, unescapeText(value!)]));
}

/** The form of a page that is sent to an address with this end, with its fields as they stand. */
export function formOf(html: string, end: string): { action: string; fields: Record<string, string> } {
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const found = forms.find(([, action]) => action!.split('?')[0]!.endsWith(end));
  if (found === undefined) throw new Error(`No form is sent to ${end}.`);
  const [, action, content] = found;
  const of = (attributes: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  const fields: [string, string][] = [];
  for (const [, attributes] of content!.matchAll(/<input\b([^>]*)>/g)) {
    const isOff = /type="(checkbox|radio)"/.test(attributes!) && !/\schecked/.test(attributes!);
    if (!isOff) fields.push([of(attributes!, 'name')!, of(attributes!, 'value') ?? 'on']);
  }
  for (const [, attributes, text] of content!.matchAll(/<textarea\b([^>]*)>([^<]*)</g))
    fields.push([of(attributes!, 'name')!, text!]);
  for (const [, attributes, options] of content!.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const chosen =
      /<option value="([^"]*)" selected/.exec(options!) ?? /<option value="([^"]*)"/.exec(options!);
    fields.push([of(attributes!, 'name')!, chosen![1]!]);
  }
  return {
    action: unescapeText(action!),
    fields: Object.fromEntries(fields.map(([name, value]) => [name, unescapeText(value)])),
  };
}

const unescapeText = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Asserts what every page of the desk has: no copy anywhere, the policy, nothing that runs. */
export function expectDeskPage(
  { status, headers, text }: { status: number; headers: Record<string, unknown>; text: string },
  expected: number,
): void {
  expect({ status, ...headers }).toMatchObject({
    status: expected,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  });
  expect(headers.etag).toBeUndefined();
  expectSafe(text);
}
