import { transform } from '@swc/core';
import { PriceData } from '../../clients/typescript/src/index.js';

const AsyncFunction = (async () => undefined).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>;

/**
 * Runs a block of TypeScript that imports the client, against a service, and returns what it
 * prints. Types are stripped, not checked.
 */
export async function runTypeScript(code: string, url: string): Promise<string> {
  // The body of a function, so that `await` stands where a module may have it.
  const body = `async () => {${code.replace(/^import .*$/gm, '')}}`;
  const { code: script } = await transform(`(${body})`, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const lines: string[] = [];
  const print = (...values: unknown[]) => void lines.push(values.map(String).join(' '));
  class LocalPriceData extends PriceData {
    constructor() {
      super({ url });
    }
  }
  await new AsyncFunction('PriceData', 'console', `await (${script.replace(/;\s*$/, '')})()`)(
    LocalPriceData,
    {
      log: print,
    },
  );
  return lines.join('\n');
}
