import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response that Node is working on for a connection; null while it waits for a request. */
export function currentResponse(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
