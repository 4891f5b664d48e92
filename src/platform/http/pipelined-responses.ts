import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Emits `close` on pipelined responses when their connection closes. Node does so for the one
 * response that has the connection; those queued behind it would never end, and their work would go
 * on waiting.
 */
export class PipelinedResponses {
  private readonly queued = new WeakMap<Socket, Set<ServerResponse>>();

  /** Registers a response if it is queued behind others. */
  readonly watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (response.socket !== null) return;
    let responses = this.queued.get(socket);
    if (responses === undefined) {
      const created = new Set<ServerResponse>();
      this.queued.set(socket, (responses = created));
      socket.once('close', () => closeAll(created));
    }
    const registered = responses;
    registered.add(response);
    response.once('close', () => registered.delete(response));
  };
}

function closeAll(responses: Set<ServerResponse>): void {
  for (const response of [...responses]) {
    // Node itself closes the one that has the connection by now.
    if (response.socket !== null) continue;
    response.destroy();
    response.emit('close');
  }
}
