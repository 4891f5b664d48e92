import { Inject, Injectable } from '@nestjs/common';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { remoteOf } from '../client.js';
import { HTTP_OPTIONS, type HttpOptions } from '../options.js';
import { ConcurrencyLimits, type Connection } from './limits.js';

/** Accepts connections within the limits of the process and of their clients. */
@Injectable()
export class ConnectionAdmission {
  private readonly isProxy: (address: string, hop: number) => boolean;
  /** Counts connections and requests: activity is compared, not timed. */
  private activities = 0;

  constructor(
    @Inject(HTTP_OPTIONS) { trustProxy }: HttpOptions,
    private readonly concurrency: ConcurrencyLimits,
  ) {
    this.isProxy = proxyAddr.compile([...trustProxy]);
  }

  /** Accepts a new connection within the limits, or closes it. */
  admit(socket: Socket): void {
    this.onRequest(socket);
    const { connections, connectionsOfClient } = this.concurrency;
    const { address, network } = remoteOf(socket);
    socket.once('close', () => this.concurrency.forget(socket));
    if (this.isProxy(address, 0) || connectionsOfClient.enter(socket, network)) connections.enter(socket);
  }

  /** Notes that a connection is active: called for each request, so it does next to nothing. */
  onRequest(socket: Connection): void {
    socket.lastRequest = ++this.activities;
  }
}
