import { Injectable, type OnModuleInit, type OnModuleDestroy } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Clock, instantText } from '../common/dates/clock.js';
import {
  type Violation,
  IdempotencyInProgress,
  IdempotencyMismatch,
  ValidationError,
} from '../common/errors/api-error.js';
import { Reply, type ReplyOptions } from '../common/http/reply.js';
import { Database } from '../database/database.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { driverErrorKind } from '../database/driver-errors.js';
import { removeExpired } from '../database/expired-rows.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';

/** How long (ms) a key is known. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
const PURGE_EVERY = 60 * 60 * 1000;
/** The server's number for a lock that another transaction did not give up in time. */
const LOCK_WAIT_TIMEOUT = 1205;

/** A POST that may be a repetition. */
export interface KeyedRequest {
  /** The header's value; null where there is none, and nothing is remembered. */
  key: string | null;
  accountId: number;
  path: string;
  /** The parsed body. */
  body: unknown;
}

interface StoredAnswer {
  body: string;
  type: string;
  options: ReplyOptions;
}

/** What is remembered of the first request with a key. */
interface First {
  body_digest: string;
  expires_at: string;
  answer: string;
}

/**
 * The request's `Idempotency-Key`, or null.
 * @throws InvalidInput unless it is 1 to 255 visible characters
 */
export function idempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return key;
  const fault: Violation = {
    in: 'header',
    name: 'Idempotency-Key',
    code: 'invalid_format',
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  };
  throw new ValidationError([fault]);
}

/**
 * Does what a POST asks for once, however often it is sent with the same key. The key and the answer are stored in the
 * transaction of the work itself, so a cut connection or a killed process leaves both or neither. Refusals are not
 * remembered: nothing was done, and the repetition is tried anew.
 */
@Injectable()
export class Idempotency implements OnModuleInit, OnModuleDestroy {
  /** Keys whose first request this process is working on. Another process's is waited for by the database. */
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly connector: DatabaseConnector,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.connector.whenConnected(() => this.purge());
    // A failed purge is made up for by the next.
    this.timer = setInterval(() => void this.purge().catch(() => undefined), PURGE_EVERY).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /**
   * The answer of `work`, or that to the first request with this key.
   * @throws IdempotencyInProgress, IdempotencyMismatch, and what `work` throws
   */
  async once(request: KeyedRequest, work: (tx: Transaction) => Promise<Reply>): Promise<Reply> {
    if (request.key === null) return this.unitOfWork.run(work);
    const digest = digestOf(['POST', request.accountId, request.path, request.key]);
    if (this.running.has(digest)) throw new IdempotencyInProgress();
    this.running.add(digest);
    try {
      return await this.firstOrReplay(digest, digestOf(request.body), work);
    } finally {
      this.running.delete(digest);
    }
  }

  private async firstOrReplay(
    digest: string,
    bodyDigest: string,
    work: (tx: Transaction) => Promise<Reply>,
  ): Promise<Reply> {
    for (;;) {
      try {
        return await this.unitOfWork.run(async (tx) => {
          await this.claim(tx, digest, bodyDigest);
          const answer = await work(tx);
          await tx.execute('UPDATE idempotency_key SET answer = ? WHERE digest = ?', [
            stored(answer),
            digest,
          ]);
          return answer;
        });
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error;
        const first = await this.find(digest);
        // None: its transaction was rolled back, or it was purged, just now.
        if (first === null) continue;
        if (first.expires_at <= this.now()) await this.forget(digest, first);
        else if (first.body_digest !== bodyDigest) throw new IdempotencyMismatch();
        else return replayed(first.answer);
      }
    }
  }

  /** Takes the key for this transaction; whoever else wants it waits for its end. */
  private async claim(tx: Transaction, digest: string, bodyDigest: string): Promise<void> {
    const expiresAt = instantText(this.clock.now() + KEPT_FOR);
    await tx
      .execute('INSERT INTO idempotency_key (digest, body_digest, expires_at) VALUES (?, ?, ?)', [
        digest,
        bodyDigest,
        expiresAt,
      ])
      .catch((error: unknown) => {
        if (driverErrorKind(error) === 'duplicate') throw new KeyTaken();
        if ((error as { errno?: number }).errno === LOCK_WAIT_TIMEOUT) throw new IdempotencyInProgress();
        throw error;
      });
  }

  private async find(digest: string): Promise<First | null> {
    // A view is of the node that is written to: a replica might not have it yet.
    const [row] = await this.database.view((arrays) =>
      arrays<[string, string, string]>(
        'SELECT body_digest, expires_at, answer FROM idempotency_key WHERE digest = ?',
        [digest],
      ),
    );
    return row === undefined ? null : { body_digest: row[0], expires_at: row[1], answer: row[2] };
  }

  private async forget(digest: string, { expires_at }: First): Promise<void> {
    await this.unitOfWork.run((tx) =>
      tx.execute('DELETE FROM idempotency_key WHERE digest = ? AND expires_at = ?', [digest, expires_at]),
    );
  }

  /** Forgets the keys whose time is over. */
  async purge(): Promise<void> {
    const rows = { table: 'idempotency_key', key: 'digest', instant: 'expires_at' };
    await removeExpired(this.database, this.unitOfWork, rows, this.now());
  }

  private now(): string {
    return instantText(this.clock.now());
  }
}

/** The key is in the table, so this transaction is not the first. */
class KeyTaken extends Error {}

function stored({ body, type, options }: Reply): string {
  return JSON.stringify({ body: String(body), type, options } satisfies StoredAnswer);
}

function replayed(text: string): Reply {
  const { body, type, options } = JSON.parse(text) as StoredAnswer;
  return Reply.text(body, type, options);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
