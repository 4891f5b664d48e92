import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply } from '../support/http.js';
import { createFolder } from '../support/resources.js';
import { type Measurements, ms, type Rule, SkipRule } from '../support/rule.js';
import { ADMIN, Service } from '../support/service.js';
import { watchWithChildren } from '../support/watched-memory.js';
import { writeWfpContent } from '../support/wfp-file.js';

const FILE_BYTES = 200 * 1024 * 1024;
/** By how many MB the service may grow. */
const GROWTH = 50;
/** What the unit and the container may have in all (`deploy/`). */
const TOGETHER = 700;

const BOUNDARY = 'a-boundary-of-the-fault-rules';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const timeoutMs = 120_000;

export const memoryOfUpload: Rule = {
  id: 'R1',
  title: 'memory while a file of 200 MB is checked and imported at the desk',
  timeoutMs: 900_000,
  async run({ short }) {
    if (short) throw new SkipRule('A file of 200 MB needs a whole run.');
    return measureUpload();
  },
};

async function measureUpload(): Promise<Measurements> {
  const service = await Service.start({ settings: { TMPDIR: createFolder() } });
  const desk = await signIn(service);
  const { body, rows } = formOf(FILE_BYTES);
  const from = `/desk/upload?form_token=${await tokenOf(desk)}`;
  const before = service.residentMemory();
  const most = watchWithChildren(service);
  const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const address = redirectOf(await desk('POST', from, body, type));
  const received = most().service;
  const checked = await ended(desk, address);
  assert.ok(checked.text.includes(`<data value="${rows}">`), 'The check has not read all rows.');
  const afterCheck = most();
  const fields = Buffer.from(`form_token=${await tokenOf(desk)}`);
  redirectOf(await desk('POST', `${address}/import`, fields, FORM));
  assert.match(redirectOf(await ended(desk, address)), /^\/desk\/change-sets\/\d+$/);
  const afterImport = most();
  most.stop();
  await service.stop();
  const growth = afterImport.service - before;
  assert.ok(growth <= GROWTH, `The service grew by ${growth} MB.`);
  assert.ok(afterImport.together <= TOGETHER, `Both took ${afterImport.together} MB.`);
  return {
    rows,
    'memory before MB': ms(before),
    'received MB': ms(received),
    'checked MB': ms(afterCheck.service),
    'imported MB': ms(afterImport.service),
    'with its process, check MB': ms(afterCheck.together),
    'with its process, import MB': ms(afterImport.together),
  };
}

type Desk = (
  method: string,
  path: string,
  body?: Buffer,
  headers?: Record<string, string>,
) => Promise<HttpReply>;

async function signIn(service: Service): Promise<Desk> {
  const own = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' };
  const body = Buffer.from(new URLSearchParams(ADMIN).toString());
  const reply = await service.request('/desk/login', { method: 'POST', headers: { ...own, ...FORM }, body });
  const Cookie = reply.headers['set-cookie']![0]!.split(';')[0]!;
  return (method, path, body, headers) =>
    service.request(path, { method, body, headers: { ...own, Cookie, ...headers }, timeoutMs });
}

async function tokenOf(desk: Desk): Promise<string> {
  const { text } = await desk('GET', '/desk/upload');
  return /name="form_token" value="([\w-]{43})"/.exec(text)![1]!;
}

function redirectOf(reply: HttpReply): string {
  assert.equal(reply.status, 303, reply.error ?? reply.text);
  return reply.headers.location!;
}

/** The page of an upload once nothing runs any more. */
async function ended(desk: Desk, address: string): Promise<HttpReply> {
  for (;;) {
    const reply = await desk('GET', address);
    if (reply.headers.refresh === undefined) return reply;
    await sleep(500);
  }
}

/** The form with a file of prices in the layout of WFP. */
function formOf(bytes: number): { body: Buffer; rows: number } {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="upload"; ` +
    'filename="wfp_food_prices_ken.csv"\r\nContent-Type: text/csv\r\n\r\n';
  const { content, rows } = writeWfpContent(bytes);
  return { body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]), rows };
}
