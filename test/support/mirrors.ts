import type { AddressInfo } from 'node:net';
import { compareExports } from '../../src/mirror/compare-exports.js';
import type { TestApp } from './test-app.js';

/** The address at which a service listens. */
export const addressOf = ({ app }: TestApp) =>
  `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/`;

/** The exports of a service that differ from those of its mirror. */
export async function differentExports(source: TestApp, copy: TestApp): Promise<string[]> {
  const lines: string[] = [];
  await copy.revision.refresh();
  await compareExports(addressOf(source), addressOf(copy), (line) => lines.push(line));
  return lines.filter((line) => !line.endsWith(': equal'));
}
