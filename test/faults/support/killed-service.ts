import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply, RequestOptions } from './http.js';
import { Service } from './service.js';

/** A service that is killed and started again at its address, while clients go on. */
export class KilledService {
  kills = 0;
  private ready: Promise<unknown> = Promise.resolve();

  private constructor(
    private service: Service,
    private readonly token: string,
  ) {}

  static async start(databaseUrl?: string): Promise<KilledService> {
    const service = await Service.start({ databaseUrl });
    return new KilledService(service, await service.login());
  }

  get databaseUrl(): string {
    return this.service.databaseUrl;
  }

  get url(): string {
    return `http://127.0.0.1:${this.service.port}`;
  }

  /** Sends a request once the service is there; it may be killed meanwhile. */
  async request(path: string, options?: RequestOptions): Promise<HttpReply> {
    await this.ready;
    return this.service.request(`/api/v1/${path}`, options);
  }

  /** As `request`, by the administrator. */
  write(method: string, path: string, body: unknown, type = 'application/json'): Promise<HttpReply> {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': type };
    return this.request(path, { method, body, headers });
  }

  /** Lets the service run for a time, kills it, and starts it again. */
  async killAfter(milliseconds: number): Promise<void> {
    await sleep(milliseconds);
    const { databaseUrl, port } = this.service;
    const killed = this.service.kill();
    this.kills++;
    this.ready = killed.then(async () => (this.service = await Service.start({ databaseUrl, port })));
    await this.ready;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
