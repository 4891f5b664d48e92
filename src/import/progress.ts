import type { WriteStream } from 'node:tty';
import type { Input } from './input.js';

/** Milliseconds between two drawings. */
const INTERVAL = 100;
const WIDTH = 30;

/** A progress bar on a terminal; elsewhere nothing is shown, so that logs stay readable. */
export function showProgress(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  input: Pick<Input, 'size' | 'bytesRead'>,
) {
  let drawn = -Infinity;
  const show = () => {
    const now = performance.now();
    if (!stream.isTTY || now - drawn < INTERVAL) return;
    drawn = now;
    stream.write(`\r\u001b[K${progressLine(input.bytesRead(), input.size)}`);
  };
  const end = () => {
    if (drawn > 0) stream.write('\r\u001b[K');
  };
  return { show, end };
}

/** `[###   ] 50 %  1.5 of 3.0 MB`, without the bar where the size is not known. */
export function progressLine(read: number, size: number | null): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  if (size === null || size === 0) return `${megabytes(read)} MB read`;
  const part = Math.min(1, read / size);
  const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH);
  return `[${bar}] ${Math.floor(part * 100)} %  ${megabytes(read)} of ${megabytes(size)} MB`;
}
