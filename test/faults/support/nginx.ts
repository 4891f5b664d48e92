import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest, type HttpReply, type RequestOptions } from './http.js';
import { createCertificate } from '../../support/certificate.js';
import { createFolder, findFreePort, track } from './resources.js';

const program = [
  '/usr/sbin/nginx',
  '/usr/local/sbin/nginx',
  '/usr/bin/nginx',
  '/opt/homebrew/bin/nginx',
].find(existsSync);
/** This file is built into `dist/test/faults/support`. */
const sites = join(import.meta.dirname, '../../../../deploy/nginx');
const HOST = 'prices.example.org';

/** Whether nginx is installed. */
export const nginxInstalled = program !== undefined;

/** nginx with the site of `deploy/nginx`, on ports of the loopback. */
export class Nginx {
  private constructor(
    /** Redirects to TLS. */
    readonly plainPort: number,
    private readonly port: number,
  ) {}

  /**
   * Starts it in front of two replicas of the service.
   * @throws Error if nginx rejects the configuration
   */
  static async start(replicas: readonly [number, number]): Promise<Nginx> {
    const folder = createFolder();
    const nginx = new Nginx(await findFreePort(), await findFreePort());
    const site = replaceAll(readFileSync(join(sites, 'prices.conf'), 'utf8'), [
      ['listen 80;', `listen 127.0.0.1:${nginx.plainPort};`],
      ['listen [::]:80;', `listen [::1]:${nginx.plainPort};`],
      ['listen [::]:443 ssl', `listen [::1]:${nginx.port} ssl`],
      ['listen 443 ssl', `listen 127.0.0.1:${nginx.port} ssl`],
      ['/etc/ssl/prices', folder],
    ]);
    const upstream = replaceAll(readFileSync(join(sites, 'upstream-compose.conf'), 'utf8'), [
      ['172.30.0.11:3000', `127.0.0.1:${replicas[0]}`],
      ['172.30.0.12:3000', `127.0.0.1:${replicas[1]}`],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    const config = join(folder, 'nginx.conf');
    writeFileSync(
      config,
      `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; master_process off; pid ${folder}/pid;
      events { worker_connections 1024; }
      http { ${temporary} ${upstream} ${site} }`,
    );
    createCertificate(folder, `DNS:${HOST}`);
    const options = ['-e', 'stderr', '-c', config];
    const test = spawnSync(program!, [...options, '-t'], { encoding: 'utf8' });
    if (test.status !== 0 || test.stderr.includes('[warn]')) throw new Error(test.stderr);
    track(spawn(program!, options, { stdio: 'ignore' }));
    while ((await sendRequest(nginx.plainPort, '/')).status === 0) await sleep(20);
    return nginx;
  }

  /** Opens a TLS connection for a server name. Rejects if the handshake fails. */
  async connect(servername = HOST): Promise<TLSSocket> {
    const socket = this.open(servername);
    await once(socket, 'secureConnect');
    return socket.on('error', () => undefined);
  }

  /** Sends a request over a TLS connection of its own. */
  request(path: string, options: RequestOptions = {}): Promise<HttpReply> {
    const agent = Object.assign(new Agent(), { createConnection: () => this.open(HOST) });
    return sendRequest(this.port, path, { ...options, agent, headers: { Host: HOST, ...options.headers } });
  }

  private open(servername: string): TLSSocket {
    return connect({ host: '127.0.0.1', port: this.port, servername, rejectUnauthorized: false });
  }
}

/** @throws Error if a text is not found, so that a changed site is not tested with its own ports */
function replaceAll(text: string, pairs: readonly [string, string][]): string {
  return pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The configuration of nginx has no ${from}.`);
    return result.replaceAll(from, to);
  }, text);
}
