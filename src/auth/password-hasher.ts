import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { Unavailable } from '../common/errors/api-error.js';
import { Environment } from '../config/environment.js';

/** Argon2id with the least cost that the OWASP password storage cheat sheet gives: 19 MiB, 2 passes, 1 lane. Salts are 16 random bytes. */
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password has, at the present cost: verified for unknown names, so that they take as long as known ones. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$to6u2G7UTrCMGNi5ZMJEFA$+wJhbNJ8+2sQs4jEqCci0Ip26Dy1I4LOCbCIRdPvcR4';

/** Logins that may wait for their turn. */
const WAITING = 16;

/** Makes and checks password hashes. */
@Injectable()
export class PasswordHasher {
  /** Hashes at once: each holds a core for some 50 ms and 19 MiB, and one core of the machine is left to answer reads. */
  private readonly atOnce: number;
  private busy = 0;
  private readonly queue: (() => void)[] = [];

  constructor(environment: Environment) {
    const ofMachine = Math.min(4, Math.max(1, availableParallelism() - 1));
    this.atOnce = Math.max(1, Math.floor(ofMachine / environment.workers));
  }

  /** @returns the hash in PHC string format, which names its parameters */
  hash(password: string): Promise<string> {
    return hash(password, COST);
  }

  /** Whether a password has a hash; for an account that does not exist give null, which costs the same and is never right. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    return verify(passwordHash ?? NOBODYS_HASH, password);
  }

  /** Whether a stored hash is weaker than those made now. */
  isWeak(passwordHash: string): boolean {
    const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
    return (
      algorithm !== COST.algorithm ||
      memoryCost < COST.memoryCost ||
      timeCost < COST.timeCost ||
      parallelism < COST.parallelism
    );
  }

  /**
   * Does work that hashes, when its turn has come: a flood of logins must not slow the reads.
   * @param gone fires when nobody waits for the work any more; then it is not begun
   * @throws Unavailable when too many are waiting
   */
  async inTurn<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.busy < this.atOnce) this.busy++;
    else if (this.queue.length < WAITING) await new Promise<void>((resolve) => this.queue.push(resolve));
    else throw new Unavailable('Too many logins at once. Try again.');
    try {
      gone.throwIfAborted();
      return await work();
    } finally {
      // A finished one hands its place over, so nobody who comes between can take it.
      const next = this.queue.shift();
      if (next) next();
      else this.busy--;
    }
  }
}
