import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AccountError } from './accounts.js';

/**
 * A new password from standard input: asked for twice and not shown on a terminal; from a pipe all there is, less the line break
 * at its end.
 * @throws AccountRefused when it cannot be used as a password at all
 */
export function readNewPassword(): Promise<string> {
  return process.stdin.isTTY ? askTwice() : readPiped(process.stdin);
}

/** Reads a password from a stream to its end. */
export async function readPiped(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  let text: string;
  try {
    // Bytes that are no text would be replaced, and the password would be another than was given.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AccountError('The password must be text in UTF-8.');
  }
  return text.replace(/\r?\n$/, '');
}

async function askTwice(): Promise<string> {
  const password = await ask('Password: ');
  if ((await ask('Again: ')) !== password) throw new AccountError('The two passwords are not the same.');
  return password;
}

/** Asks on the terminal; what is typed goes to an output that shows nothing. */
async function ask(prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const given = new AbortController();
  reader.once('SIGINT', () => given.abort());
  reader.once('close', () => given.abort());
  process.stderr.write(prompt);
  try {
    return await reader.question('', { signal: given.signal });
  } catch {
    throw new AccountError('No password was given.');
  } finally {
    process.stderr.write('\n');
    reader.close();
  }
}
