import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tells responses that their client has gone. Node does it for the one response that has the connection; those that wait behind it, to
 * requests sent before the first was answered, would never hear of their end, and whatever works for them would go on waiting.
 */
export class PipelinedResponses {
  private readonly waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Takes note of a response if it has to wait for others. */
  readonly watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (response.socket !== null) return;
    let behind = this.waiting.get(socket);
    if (behind === undefined) {
      const all = new Set<ServerResponse>();
      this.waiting.set(socket, (behind = all));
      socket.once('close', () => end(all));
    }
    const these = behind;
    these.add(response);
    response.once('close', () => these.delete(response));
  };
}

function end(responses: Set<ServerResponse>): void {
  for (const response of [...responses]) {
    // The one that has the connection by now is told by Node.
    if (response.socket !== null) continue;
    response.destroy();
    response.emit('close');
  }
}
