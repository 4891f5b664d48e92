import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { Unavailable } from '../common/errors/api-error.js';

/** Argon2id with the least cost that the OWASP password storage cheat sheet gives: 19 MiB, 2 passes, 1 lane. Salts are 16 random bytes. */
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password has, at the present cost: verified for unknown names, so that they take as long as known ones. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$to6u2G7UTrCMGNi5ZMJEFA$+wJhbNJ8+2sQs4jEqCci0Ip26Dy1I4LOCbCIRdPvcR4';

/** Hashes at once: each holds a core for some 50 ms and 19 MiB, and one core is left to answer reads. */
const AT_ONCE = Math.min(4, Math.max(1, availableParallelism() - 1));
/** Logins that may wait for their turn. */
const WAITING = 16;

/** Makes and checks password hashes. */
@Injectable()
export class PasswordHasher {
  private busy = 0;
  private readonly queue: (() => void)[] = [];

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
   * @throws Unavailable when too many are waiting
   */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.busy < AT_ONCE) this.busy++;
    else if (this.queue.length < WAITING) await new Promise<void>((resolve) => this.queue.push(resolve));
    else throw new Unavailable('Too many logins at once. Try again.');
    try {
      return await work();
    } finally {
      // A finished one hands its place over, so nobody who comes between can take it.
      const next = this.queue.shift();
      if (next) next();
      else this.busy--;
    }
  }
}
