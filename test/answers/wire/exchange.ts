import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerOf, parseReply, type Reply } from './reply.js';

/** The outcome of the requests sent over one connection. */
export interface Exchange {
  /** Replies in their order; interim ones such as `100 Continue` are among them. */
  replies: Reply[];
  /** What the service did with the connection after the last reply. */
  connection: 'closed' | 'kept' | 'not waited for';
  /** Bytes received after the last expected reply. */
  surplus: number;
}

export interface ExchangeOptions {
  /** The methods of the requests in the pieces: one final reply is expected for each. */
  methods: readonly string[];
  /** How long to wait for the service to close the connection where no reply announces it. */
  lingerMs?: number;
  /** How long to wait for the replies; 30 s unless given. */
  timeoutMs?: number;
}

/** How long to wait for the end of the connection after `Connection: close`. */
const CLOSE_MS = 5000;

/**
 * Sends bytes over a new connection, exactly as given, and reads the replies. Every piece but the
 * first is sent after something was received. Never rejects: replies that did not arrive are
 * missing.
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  { methods, lingerMs = 0, timeoutMs = 30_000 }: ExchangeOptions,
): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const replies: Reply[] = [];
  const waiting = [...pieces];
  let rest: Buffer = Buffer.alloc(0);
  let answered = 0;
  let closed = false;
  let wake: () => void = () => undefined;

  const read = () => {
    while (answered < methods.length) {
      const parsed = parseReply(rest, methods[answered]!, closed);
      if (parsed === null) break;
      rest = rest.subarray(parsed.end);
      replies.push(parsed.reply);
      if (parsed.reply.status >= 200) answered++;
    }
    if (answered === methods.length || closed) wake();
  };
  const send = () => waiting.length > 0 && !closed && socket.write(waiting.shift()!);
  socket.on('connect', send);
  socket.on('data', (part: Buffer) => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    read();
    send();
  });
  // The service may reset a connection; replies received before are kept.
  socket.on('error', () => undefined);
  for (const end of ['end', 'close']) {
    socket.on(end, () => {
      closed = true;
      read();
    });
  }

  await Promise.race([
    new Promise<void>((resolve) => (wake = resolve)),
    sleep(timeoutMs, undefined, { ref: false }),
  ]);
  const last = replies.at(-1);
  const closing = last !== undefined && headerOf(last, 'connection')?.toLowerCase() === 'close';
  const wait = closing ? CLOSE_MS : lingerMs;
  if (!closed && wait > 0) {
    await Promise.race([
      new Promise<void>((resolve) => (wake = resolve)),
      sleep(wait, undefined, { ref: false }),
    ]);
  }
  socket.destroy();
  const connection = closed ? 'closed' : wait > 0 ? 'kept' : 'not waited for';
  return { replies, connection, surplus: rest.length };
}
