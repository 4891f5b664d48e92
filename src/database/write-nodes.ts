import { Logger } from '@nestjs/common';
import { Socket } from 'node:net';
import { driverErrorKind } from './driver-errors.js';
import { type ServerAccount, placeOf } from '../config/server-account.js';
import { ServerProbe } from './server-probe.js';

/** Milliseconds between two looks at the nodes. */
const LOOK_EVERY = 1000;
/** Milliseconds for which a node that stands before the chosen one has to be well until it is chosen. */
const WELL_FOR = 5000;

const SHOW_SETTINGS = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')";
const SHOW_STATE = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state')";
/** A node that has all that the others have. */
const SYNCED = '4';

/**
 * The nodes of a cluster that can be written to. All of this service's processes write to the same one, the first of the list that
 * is well, because two nodes that are written to at once undo each other's transactions.
 */
export class WriteNodes {
  private readonly logger = new Logger('Database');
  private readonly nodes: Node[];
  private chosen: Node | null = null;
  private choosing: Promise<Node> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private stopped = false;

  private constructor(
    accounts: readonly ServerAccount[],
    private readonly moved: (formerWorks: boolean) => void,
  ) {
    this.nodes = accounts.map((account) => new Node(account));
  }

  /**
   * The nodes to choose among; null where there is nothing to choose.
   * @param moved called when another node is written to from now on, and told whether the former one still works
   */
  static among(accounts: readonly ServerAccount[], moved: (formerWorks: boolean) => void): WriteNodes | null {
    return accounts.length > 1 ? new WriteNodes(accounts, moved) : null;
  }

  /** A socket to the node that is written to, for a new connection of the pool. */
  readonly connect = (): Socket => {
    const socket = new Socket().setNoDelay(true);
    socket.once('error', () => void this.look());
    this.choose().then(
      ({ account }) => socket.destroyed || socket.connect(account.port, account.host),
      (error: Error) => socket.destroy(error),
    );
    return socket;
  };

  /** Begins to watch the nodes: a chosen one that is not well is given up, and one that comes before it is taken again. */
  watch(): void {
    this.timer ??= setInterval(() => void this.look(), LOOK_EVERY).unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    for (const node of this.nodes) node.close();
  }

  private choose(): Promise<Node> {
    if (this.chosen !== null) return Promise.resolve(this.chosen);
    this.choosing ??= this.firstWell().finally(() => (this.choosing = null));
    return this.choosing;
  }

  private async firstWell(): Promise<Node> {
    for (const node of this.nodes) {
      if (await node.isWell()) {
        this.take(node, false);
        return node;
      }
    }
    // A wrong password stays wrong, and has to be told as such.
    const refusal = this.nodes.find(({ failure }) => driverErrorKind(failure) === 'misconfigured')?.failure;
    const none = new Error('No node of the database can be written to.');
    throw refusal ?? Object.assign(none, { code: 'ECONNREFUSED' });
  }

  private async look(): Promise<void> {
    if (this.stopped || this.looking || this.chosen === null) return;
    this.looking = true;
    const place = this.nodes.indexOf(this.chosen);
    const well = await Promise.all(this.nodes.slice(0, place + 1).map((node) => node.isWell()));
    this.looking = false;
    if (well[place]) {
      const better = this.nodes.slice(0, place).find((node) => node.wellFor() >= WELL_FOR);
      if (better) this.take(better, true);
      return;
    }
    this.logger.warn(`${placeOf(this.chosen.account)} cannot be written to any longer.`);
    this.chosen = null;
    // Where none is well the next connection looks again.
    await this.choose().catch(() => this.moved(false));
  }

  private take(node: Node, formerWorks: boolean): void {
    this.chosen = node;
    this.logger.log(`Writing goes to ${placeOf(node.account)}.`);
    this.moved(formerWorks);
  }
}

/** One node, and since when it has been well. */
class Node {
  private readonly probe: ServerProbe;
  private wellSince: number | null = null;
  /** Why it did not answer when it was last asked. */
  failure: unknown = null;

  constructor(readonly account: ServerAccount) {
    this.probe = new ServerProbe(account);
  }

  /** Whether it can be written to now: it answers, is not read-only, and in a cluster it is one of its majority and up to date. */
  async isWell(): Promise<boolean> {
    this.failure = null;
    const well = await this.state().then(isWritable, (error: unknown) => {
      this.failure = error;
      return false;
    });
    this.wellSince = well ? (this.wellSince ?? performance.now()) : null;
    return well;
  }

  /** Milliseconds for which it has been well. */
  wellFor(): number {
    return this.wellSince === null ? 0 : performance.now() - this.wellSince;
  }

  close(): void {
    this.probe.close();
  }

  private async state(): Promise<ReadonlyMap<string, string>> {
    const settings = await this.probe.ask<[string, string]>(SHOW_SETTINGS);
    return new Map([...settings, ...(await this.probe.ask<[string, string]>(SHOW_STATE))]);
  }
}

function isWritable(state: ReadonlyMap<string, string>): boolean {
  if (state.get('read_only') !== 'OFF') return false;
  if (state.get('wsrep_on') !== 'ON') return true;
  return state.get('wsrep_ready') === 'ON' && state.get('wsrep_local_state') === SYNCED;
}
