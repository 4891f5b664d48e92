import { Inject, Injectable } from '@nestjs/common';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { clientNetwork } from './request/client-network.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './request/http-options.js';
import { remoteOf } from './request/request-origin.js';
import { currentResponse } from './response/current-response.js';

const LAST_REQUEST = Symbol('last request');
type Connection = Socket & { [LAST_REQUEST]?: number };

/**
 * Limits the connections of the process, and those of one client network unless it is a trusted
 * proxy's. A new one above a limit takes the place of the least recently active idle one; where all
 * have a request in progress, the new one is closed. (Node's `maxConnections` closes the new one
 * always, so that idle connections could keep everybody out.)
 */
@Injectable()
export class ConnectionLimits {
  /** Connections closed because of a limit. */
  closed = 0;
  private readonly all = new Set<Connection>();
  private readonly byNetwork = new Map<string, Set<Connection>>();
  private readonly isProxy: (address: string, hop: number) => boolean;
  /** Counts connections and requests: activity is compared, not timed. */
  private activities = 0;

  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {
    this.isProxy = proxyAddr.compile([...options.trustProxy]);
  }

  /** Open connections. */
  get count(): number {
    return this.all.size;
  }

  /** Accepts a new connection within the limits, or closes it. */
  admit(socket: Socket): void {
    this.onRequest(socket);
    socket.once('close', () => this.remove(socket));
    const limit = this.options.connectionsPerAddress;
    const { address } = remoteOf(socket);
    const limited = limit > 0 && !this.isProxy(address, 0);
    if (limited) this.add(socket, this.ofNetwork(clientNetwork(address)), limit);
    if (!socket.destroyed) this.add(socket, this.all, this.limits.sockets);
  }

  /** Notes that a connection is active: called for each request, so it does next to nothing. */
  onRequest(socket: Connection): void {
    socket[LAST_REQUEST] = ++this.activities;
  }

  private ofNetwork(network: string): Set<Connection> {
    let connections = this.byNetwork.get(network);
    if (connections === undefined) {
      connections = new Set();
      this.byNetwork.set(network, connections);
    }
    return connections;
  }

  private add(socket: Connection, connections: Set<Connection>, limit: number): void {
    connections.add(socket);
    if (connections.size <= limit) return;
    const closed = leastActiveIdle(connections, socket) ?? socket;
    this.remove(closed);
    closed.destroy();
    this.closed++;
  }

  private remove(socket: Connection): void {
    this.all.delete(socket);
    const network = clientNetwork(remoteOf(socket).address);
    const connections = this.byNetwork.get(network);
    connections?.delete(socket);
    if (connections?.size === 0) this.byNetwork.delete(network);
  }
}

/** Of the connections without a request in progress, that with the oldest last request. */
function leastActiveIdle(connections: Set<Connection>, except: Connection): Connection | null {
  let least: Connection | null = null;
  for (const socket of connections) {
    if (socket === except || currentResponse(socket) !== null) continue;
    if (least === null || socket[LAST_REQUEST]! < least[LAST_REQUEST]!) least = socket;
  }
  return least;
}
