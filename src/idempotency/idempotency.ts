import { Injectable, type OnModuleInit, type OnModuleDestroy } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Clock, instantText } from '../platform/clock/clock.js';
import {
  type Violation,
  IdempotencyInProgress,
  IdempotencyMismatch,
  ValidationError,
} from '../platform/errors/api-error.js';
import { Reply, type ReplyOptions } from '../platform/http/reply.js';
import { Database } from '../database/database.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { driverErrorKind, isLockWait } from '../database/errors/driver-errors.js';
import { removeExpired } from '../ledger/expired-rows.js';
import type { NewChangeSet } from '../ledger/changes/change-set.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';

/** How long a key is stored. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
const PURGE_INTERVAL_MS = 60 * 60 * 1000;

/** A POST that may be a retry. */
interface KeyedRequest {
  /** The header's value; null if there is none, and then nothing is stored. */
  key: string | null;
  /** The account's `accountKey`. */
  account: number | string;
  path: string;
  /** The parsed body. */
  body: unknown;
  /** The change set of what it writes. */
  changeSet: NewChangeSet;
  /** When it must be committed (`performance.now()`). */
  deadline: number;
}

interface StoredReply {
  body: string;
  type: string;
  options: ReplyOptions;
}

/** What is stored of the first request with a key. */
interface StoredRequest {
  body_digest: string;
  expires_at: string;
  answer: string;
}

/**
 * The request's `Idempotency-Key`, or null.
 * @throws ValidationError unless it is 1 to 255 visible ASCII characters
 */
export function idempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return key;
  const violation: Violation = {
    in: 'header',
    name: 'Idempotency-Key',
    code: 'invalid_format',
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  };
  throw new ValidationError([violation]);
}

/**
 * Executes a POST once, however often it is sent with the same key. The key and the reply are
 * stored in the transaction of the work itself, so a lost connection or a killed process leaves
 * both or neither. Errors are not stored: nothing was written, and a retry is executed again.
 */
@Injectable()
export class Idempotency implements OnModuleInit, OnModuleDestroy {
  /**
   * Keys whose first request is running in this process. For those of other processes, the database
   * waits for the lock.
   */
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly connector: DatabaseConnector,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.connector.onConnected(() => this.purge());
    // After a failure, the next purge removes the same keys.
    this.timer = setInterval(() => void this.purge().catch(() => undefined), PURGE_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /**
   * Returns the reply of `work`, or that of the first request with this key.
   * @throws IdempotencyInProgress, IdempotencyMismatch, and what `work` throws
   */
  async once(request: KeyedRequest, work: (transaction: Transaction) => Promise<Reply>): Promise<Reply> {
    if (request.key === null) return this.unitOfWork.change(request.changeSet, work, request.deadline);
    const digest = digestOf(['POST', request.account, request.path, request.key]);
    if (this.running.has(digest)) throw new IdempotencyInProgress();
    this.running.add(digest);
    try {
      return await this.firstOrReplay(digest, digestOf(request.body), request, work);
    } finally {
      this.running.delete(digest);
    }
  }

  private async firstOrReplay(
    digest: string,
    bodyDigest: string,
    { changeSet, deadline }: KeyedRequest,
    work: (transaction: Transaction) => Promise<Reply>,
  ): Promise<Reply> {
    for (;;) {
      try {
        return await this.unitOfWork.change(
          changeSet,
          async (transaction) => {
            await this.claim(transaction, digest, bodyDigest);
            const reply = await work(transaction);
            await transaction.manager.update(
              IdempotencyKeyRow,
              { digest },
              { answer: serializeReply(reply) },
            );
            return reply;
          },
          deadline,
        );
      } catch (error) {
        if (!(error instanceof KeyAlreadyUsed)) throw error;
        const first = await this.find(digest);
        // Null: its transaction was just rolled back, or it was just purged.
        if (first === null) continue;
        if (first.expires_at <= this.now()) await this.remove(digest, first, deadline);
        else if (first.body_digest !== bodyDigest) throw new IdempotencyMismatch();
        else return parseReply(first.answer);
      }
    }
  }

  /** Inserts the key. Another transaction that inserts it waits until this one ends. */
  private async claim(transaction: Transaction, digest: string, bodyDigest: string): Promise<void> {
    const expiresAt = instantText(this.clock.now() + KEY_LIFETIME_MS);
    await transaction
      .insert(IdempotencyKeyRow, { digest, body_digest: bodyDigest, expires_at: expiresAt })
      .catch((error: unknown) => {
        if (driverErrorKind(error) === 'duplicate') throw new KeyAlreadyUsed();
        if (isLockWait(error)) throw new IdempotencyInProgress();
        throw error;
      });
  }

  private async find(digest: string): Promise<StoredRequest | null> {
    // Snapshots are read from the node that is written to: a replica might not have the key yet.
    const [row] = await this.database.readSnapshot((arrays) =>
      arrays<[string, string, string]>(
        'SELECT body_digest, expires_at, answer FROM idempotency_key WHERE digest = ?',
        [digest],
      ),
    );
    return row === undefined ? null : { body_digest: row[0], expires_at: row[1], answer: row[2] };
  }

  private async remove(digest: string, { expires_at }: StoredRequest, deadline: number): Promise<void> {
    await this.unitOfWork.run(
      (transaction) => transaction.manager.delete(IdempotencyKeyRow, { digest, expires_at }),
      deadline,
    );
  }

  /** Removes expired keys. */
  async purge(): Promise<void> {
    await removeExpired(this.database, this.unitOfWork, IdempotencyKeyRow, 'expires_at', this.now());
  }

  private now(): string {
    return instantText(this.clock.now());
  }
}

/** The key is stored already, so this request is not the first. */
class KeyAlreadyUsed extends Error {}

function serializeReply({ body: { bytes, type }, options }: Reply): string {
  return JSON.stringify({ body: String(bytes), type, options } satisfies StoredReply);
}

function parseReply(text: string): Reply {
  const { body, type, options } = JSON.parse(text) as StoredReply;
  return Reply.text(body, type, options);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
