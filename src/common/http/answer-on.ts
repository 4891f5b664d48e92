import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answer that Node is working on for a connection, or null where it waits for a request. */
export function answerOn(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
