import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { Unavailable } from '../../platform/errors/api-error.js';
import { Environment } from '../../config/environment.js';
import { NO_PASSWORD } from './no-password.js';

/**
 * Argon2id with the minimum cost of the OWASP password storage cheat sheet: 19 MiB, 2 passes, 1
 * lane. Salts are 16 random bytes.
 */
const ARGON2ID: Algorithm.Argon2id = 2;
const ARGON2_OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Length of the queue. */
const MAX_WAITING = 16;

/** Creates and verifies password hashes. */
@Injectable()
export class PasswordHasher {
  /**
   * Concurrent hashes. Each occupies a core for some 50 ms and 19 MiB; one core of the machine is
   * left to serve reads.
   */
  private readonly concurrency: number;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(environment: Environment) {
    const perMachine = Math.min(4, Math.max(1, availableParallelism() - 1));
    this.concurrency = Math.max(1, Math.floor(perMachine / environment.workers));
  }

  /** @returns the hash in PHC string format, which includes its parameters */
  hash(password: string): Promise<string> {
    return hash(password, ARGON2_OPTIONS);
  }

  /** @param passwordHash null for an unknown account: takes as long and never matches */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    return verify(passwordHash ?? NO_PASSWORD, password);
  }

  /** Whether a stored hash has a lower cost than new ones. */
  isWeak(passwordHash: string): boolean {
    const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
    return (
      algorithm !== ARGON2_OPTIONS.algorithm ||
      memoryCost < ARGON2_OPTIONS.memoryCost ||
      timeCost < ARGON2_OPTIONS.timeCost ||
      parallelism < ARGON2_OPTIONS.parallelism
    );
  }

  /**
   * Runs work that hashes, queued above the concurrency limit: a flood of logins must not slow
   * reads.
   * @param signal when aborted before its turn, the work does not start
   * @throws Unavailable when the queue is full
   */
  async runQueued<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running++;
    else if (this.queue.length < MAX_WAITING) await new Promise<void>((resolve) => this.queue.push(resolve));
    else throw new Unavailable('Too many logins at once. Try again.');
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      // Passes the slot on directly, so that a new call cannot overtake the queue.
      const next = this.queue.shift();
      if (next) next();
      else this.running--;
    }
  }
}
