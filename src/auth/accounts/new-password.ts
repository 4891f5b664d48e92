import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AccountError } from './accounts.js';

/**
 * Reads a new password from standard input: prompted for twice without echo on a terminal; from a
 * pipe the whole input without its last line break.
 * @throws AccountError when no password is entered, the two differ, or it is not UTF-8
 */
export function readNewPassword(): Promise<string> {
  return process.stdin.isTTY ? promptTwice() : readPassword(process.stdin);
}

/** Reads a password from a stream. */
export async function readPassword(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  let text: string;
  try {
    // Not fatal, decoding would replace invalid bytes and change the password.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AccountError('The password must be valid UTF-8 text.');
  }
  return text.replace(/\r?\n$/, '');
}

async function promptTwice(): Promise<string> {
  const password = await prompt('Password: ');
  if ((await prompt('Password again: ')) !== password)
    throw new AccountError('The two passwords do not match.');
  return password;
}

/** Prompts on the terminal without echo: readline writes what is typed to a muted output. */
async function prompt(prompt: string): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: muted, terminal: true });
  const aborted = new AbortController();
  reader.once('SIGINT', () => aborted.abort());
  reader.once('close', () => aborted.abort());
  process.stderr.write(prompt);
  try {
    return await reader.question('', { signal: aborted.signal });
  } catch {
    throw new AccountError('No password was entered.');
  } finally {
    process.stderr.write('\n');
    reader.close();
  }
}
