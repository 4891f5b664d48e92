import { Logger } from '@nestjs/common';
import { Socket } from 'node:net';
import { driverErrorKind } from '../errors/driver-errors.js';
import { type ServerAccount, hostAndPort } from '../../config/server-account.js';
import { ServerProbe } from './server-probe.js';

/** Milliseconds between two health checks of the nodes. */
const CHECK_INTERVAL = 1000;
/** Milliseconds for which a preferred node must be healthy before writes return to it. */
const HEALTHY_FOR = 5000;

const SHOW_SETTINGS = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')";
const SHOW_STATUS = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state')";
/** Galera: the node is in sync with the cluster. */
const SYNCED = '4';

/**
 * Chooses the node of a cluster to write to: the first healthy one of the list. All processes of
 * the service write to the same node, because concurrent writes to two nodes abort each other's
 * transactions.
 */
export class WriteNodes {
  private readonly logger = new Logger('Database');
  private readonly nodes: WriteNode[];
  private current: WriteNode | null = null;
  private choosing: Promise<WriteNode> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private checking = false;
  private stopped = false;

  private constructor(
    accounts: readonly ServerAccount[],
    private readonly onSwitch: (previousHealthy: boolean) => void,
  ) {
    this.nodes = accounts.map((account) => new WriteNode(account));
  }

  /**
   * @param onSwitch called when writes switch to another node; says whether the previous one is
   * healthy
   * @returns null when there is only one server
   */
  static create(
    accounts: readonly ServerAccount[],
    onSwitch: (previousHealthy: boolean) => void,
  ): WriteNodes | null {
    return accounts.length > 1 ? new WriteNodes(accounts, onSwitch) : null;
  }

  /** Opens a socket to the current node, for a new connection of the pool. */
  readonly connect = (): Socket => {
    const socket = new Socket().setNoDelay(true);
    socket.once('error', () => void this.check());
    this.choose().then(
      ({ account }) => socket.destroyed || socket.connect(account.port, account.host),
      (error: Error) => socket.destroy(error),
    );
    return socket;
  };

  /** Starts the health checks: an unhealthy node is replaced, and a preferred one is used again. */
  watch(): void {
    this.timer ??= setInterval(() => void this.check(), CHECK_INTERVAL).unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    for (const node of this.nodes) node.close();
  }

  private choose(): Promise<WriteNode> {
    if (this.current !== null) return Promise.resolve(this.current);
    this.choosing ??= this.firstHealthy().finally(() => (this.choosing = null));
    return this.choosing;
  }

  private async firstHealthy(): Promise<WriteNode> {
    for (const node of this.nodes) {
      if (await node.isHealthy()) {
        this.switchTo(node, false);
        return node;
      }
    }
    // A rejected account must be reported as such: retrying will not help.
    const rejection = this.nodes.find(({ failure }) => driverErrorKind(failure) === 'misconfigured')?.failure;
    if (rejection instanceof Error) throw rejection;
    throw Object.assign(new Error('No database node is writable.'), { code: 'ECONNREFUSED' });
  }

  private async check(): Promise<void> {
    if (this.stopped || this.checking || this.current === null) return;
    this.checking = true;
    const index = this.nodes.indexOf(this.current);
    const healthy = await Promise.all(this.nodes.slice(0, index + 1).map((node) => node.isHealthy()));
    this.checking = false;
    if (healthy[index]) {
      const preferred = this.nodes.slice(0, index).find((node) => node.healthyFor() >= HEALTHY_FOR);
      if (preferred) this.switchTo(preferred, true);
      return;
    }
    this.logger.warn(`${hostAndPort(this.current.account)} is no longer writable.`);
    this.current = null;
    // If no node is healthy, the next connection tries again.
    await this.choose().catch(() => this.onSwitch(false));
  }

  private switchTo(node: WriteNode, previousHealthy: boolean): void {
    this.current = node;
    this.logger.log(`Writing to ${hostAndPort(node.account)}.`);
    this.onSwitch(previousHealthy);
  }
}

/** One node and its health. */
class WriteNode {
  private readonly probe: ServerProbe;
  private healthySince: number | null = null;
  /** The error of the last health check; null if it responded. */
  failure: unknown = null;

  constructor(readonly account: ServerAccount) {
    this.probe = new ServerProbe(account);
  }

  /**
   * Whether it is writable: it responds, is not read-only, and in a cluster is part of the majority
   * and synced.
   */
  async isHealthy(): Promise<boolean> {
    this.failure = null;
    const healthy = await this.variables().then(isWritable, (error: unknown) => {
      this.failure = error;
      return false;
    });
    this.healthySince = healthy ? (this.healthySince ?? performance.now()) : null;
    return healthy;
  }

  /** Milliseconds for which it has been healthy. */
  healthyFor(): number {
    return this.healthySince === null ? 0 : performance.now() - this.healthySince;
  }

  close(): void {
    this.probe.close();
  }

  private async variables(): Promise<ReadonlyMap<string, string>> {
    const settings = await this.probe.query<[string, string]>(SHOW_SETTINGS);
    return new Map([...settings, ...(await this.probe.query<[string, string]>(SHOW_STATUS))]);
  }
}

function isWritable(state: ReadonlyMap<string, string>): boolean {
  if (state.get('read_only') !== 'OFF') return false;
  if (state.get('wsrep_on') !== 'ON') return true;
  return state.get('wsrep_ready') === 'ON' && state.get('wsrep_local_state') === SYNCED;
}
