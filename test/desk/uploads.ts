import type { INestApplication } from '@nestjs/common';
import { rm } from 'node:fs/promises';
import type { Response, Test } from 'supertest';
import { Uploads } from '../../src/desk/upload/uploads.js';
import { BROWSER_ACCEPT } from '../explorer/pages.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import type { Variables } from '../../src/config/environment.js';
import { DeskBrowser, tokenOf } from './desk.js';

/** A service with uploads. */
export type UploadService = TestApp & { uploads: Uploads };

/** Starts a service whose uploads are removed with it. */
export async function startUploads(
  variables: Variables = {},
  extend: (app: INestApplication) => void = () => undefined,
): Promise<UploadService> {
  const service = await startTestApp(variables, [], extend);
  const uploads = service.app.get(Uploads);
  const close = async () => {
    await service.close();
    await rm(uploads.folder, { recursive: true, force: true });
  };
  return { ...service, uploads, close };
}

export interface UploadForm {
  content: string | Buffer;
  name?: string;
  fields?: Record<string, string>;
}

/** Someone who uploads files. */
export class Uploader extends DeskBrowser {
  /** Sends the form of a file as a browser does. */
  async upload({ content, name = 'prices.csv', fields = {} }: UploadForm): Promise<Response> {
    const token = tokenOf(await this.page('/desk/upload'));
    return this.form(`/desk/upload?form_token=${token}`, fields).attach('upload', Buffer.from(content), name);
  }

  /** Uploads a file and opens its page. @returns its address and HTML */
  async check(form: UploadForm): Promise<{ address: string; html: string }> {
    const { status, headers, text } = await this.upload(form);
    expect([status, text]).toEqual([303, '']);
    const address = headers.location as string;
    expect(address).toMatch(/^\/desk\/upload\/[0-9a-f]{32}$/);
    return { address, html: await this.ended(address) };
  }

  /** Sends the form that imports a file, waits for its end, and follows to the change set. */
  async import(address: string, fields: Record<string, string> = {}): Promise<string> {
    const { status, headers } = await this.submit(`${address}/import`, fields, '/desk/upload');
    expect([status, headers.location]).toEqual([303, address]);
    return (await this.leadsTo(address))!;
  }

  /** The page of an upload once nothing runs any more. */
  async ended(address: string): Promise<string> {
    await this.leadsTo(address);
    return this.page(address);
  }

  /** Where the page of an upload redirects to once nothing runs any more; undefined if nowhere. */
  async leadsTo(address: string): Promise<string | undefined> {
    for (;;) {
      const { headers } = await this.open(address);
      if (headers.refresh === undefined) return headers.location;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Begins a form with files. */
  form(address: string, fields: Record<string, string>): Test {
    const test = this.service.http().post(address);
    void test.set('Accept', BROWSER_ACCEPT).set('Sec-Fetch-Site', 'same-origin').set('Cookie', this.cookie!);
    for (const [name, value] of Object.entries(fields)) void test.field(name, value);
    return test;
  }
}

/** The numbers of a page by their labels: `{ New: 3 }`. */
export function facts(html: string): Record<string, number> {
  const list = /<ul class="facts">([\s\S]*?)<\/ul>/.exec(html)![1]!;
  return Object.fromEntries(
    [...list.matchAll(/<li>\s*([^<]+?)\s*<strong><data value="(\d+)">/g)].map(([, label, value]) => [
      label,
      Number(value),
    ]),
  );
}

/** The words of a report that its page explains. */
export const meaningsOf = (html: string): string[] =>
  [...html.matchAll(/<dt>([^<]+)<\/dt>\s*<dd>[^<]+<\/dd>/g)].map(([, word]) => word!);

/** What stands on a page as an error. */
export const alertOf = (html: string): string | null =>
  /role="alert">([\s\S]*?)<\/div>/
    .exec(html)?.[1]!
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim() ?? null;

/** The values among which the first choice of this name chooses. */
export const choicesOf = (html: string, name: string): string[] => {
  const [, options] = new RegExp(`<select name="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(html)!;
  return [...options!.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value!);
};
