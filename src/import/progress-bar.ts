import type { WriteStream } from 'node:tty';
import type { Input } from './pipeline/input.js';

/** Minimum time between two updates. */
const REDRAW_INTERVAL_MS = 100;
const BAR_WIDTH = 30;

/** A progress bar on a terminal. Draws nothing elsewhere, so that logs stay readable. */
export function createProgressBar(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  input: Pick<Input, 'size' | 'bytesRead'>,
) {
  let lastDrawn = -Infinity;
  const update = () => {
    const now = performance.now();
    if (!stream.isTTY || now - lastDrawn < REDRAW_INTERVAL_MS) return;
    lastDrawn = now;
    stream.write(`\r\u001b[K${progressLine(input.bytesRead(), input.size)}`);
  };
  const clear = () => {
    if (lastDrawn > 0) stream.write('\r\u001b[K');
  };
  return { update, clear };
}

/** `[###   ] 50 %  1.5 of 3.0 MB`, or `1.5 MB read` if the size is unknown. */
function progressLine(read: number, size: number | null): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  if (size === null || size === 0) return `${megabytes(read)} MB read`;
  const ratio = Math.min(1, read / size);
  const bar = '#'.repeat(Math.round(ratio * BAR_WIDTH)).padEnd(BAR_WIDTH);
  return `[${bar}] ${Math.floor(ratio * 100)} %  ${megabytes(read)} of ${megabytes(size)} MB`;
}
