import type { LoggerService } from '@nestjs/common';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { FinishedRequest, RequestObserver } from '../http/request-observer.js';
import { LineSink } from './line-sink.js';

/** Members whose values never reach the log, wherever they stand. */
const SECRETS = ['password', 'token', 'access', 'refresh', 'secret', 'authorization', 'cookie'];
const MASK = '[masked]';
/** What Nest tells of its own start: the route of every handler and more, for whoever looks closely. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The logger context of security events. They are kept for a purpose of their own, so a level does not quieten them. */
export const SECURITY = 'Security';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/**
 * The log of the service: one JSON line for each event, with its time in UTC. Line breaks in a text are escaped by JSON, so
 * no input can begin a line of its own.
 */
export class ServiceLog implements LoggerService, RequestObserver {
  readonly pino: Logger;
  private readonly security: Logger;
  private readonly requests: boolean;
  private last: FinishedRequest | null = null;
  private lastFacts = '';

  constructor(
    level: LogLevel = 'info',
    readonly sink: LineSink = new LineSink(),
  ) {
    this.requests = level === 'info' || level === 'debug';
    this.pino = pino(
      {
        level,
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { err: describeError },
        redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: MASK },
      },
      sink,
    );
    this.security = level === 'silent' ? this.pino : this.pino.child({}, { level: 'info' });
  }

  /** One line for each request. Its id has passed a check, so it needs no escaping. */
  finished(request: FinishedRequest): void {
    if (!this.requests) return;
    const milliseconds = Math.round(request.milliseconds * 100) / 100;
    const facts = this.factsOf(request);
    this.sink.write(
      `{"level":"info","time":"${timeText()}","msg":"request","id":"${request.id}","ms":${milliseconds}${facts}`,
    );
  }

  /** What most requests share with the one before. Long texts of many short pieces cost more than all else about a line. */
  private factsOf(request: FinishedRequest): string {
    const { last } = this;
    if (
      last !== null &&
      last.route === request.route &&
      last.bytes === request.bytes &&
      last.status === request.status &&
      last.method === request.method &&
      last.network === request.network &&
      last.userId === request.userId &&
      last.cached === request.cached &&
      last.aborted === request.aborted
    ) {
      return this.lastFacts;
    }
    const { method, route, status, bytes, userId, network, cached, aborted } = request;
    this.last = request;
    this.lastFacts = `,${JSON.stringify({
      method,
      route,
      status,
      bytes,
      network,
      ...(userId === null ? {} : { user: userId }),
      ...(cached ? { cached } : {}),
      ...(aborted ? { aborted } : {}),
    }).slice(1)}\n`;
    return this.lastFacts;
  }

  log(message: unknown, ...context: unknown[]): void {
    this.write(CHATTER.has(String(context.at(-1))) ? 'debug' : 'info', message, context);
  }

  error(message: unknown, ...context: unknown[]): void {
    this.write('error', message, context);
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.write('warn', message, context);
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.write('error', message, context);
  }

  /** Nest gives the name of the logger last, and sometimes a stack before it. */
  private write(level: 'info' | 'error' | 'warn' | 'debug', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const facts = {
      ...(typeof context === 'string' ? { context } : {}),
      ...(typeof stack === 'string' ? { stack } : {}),
    };
    const log = context === SECURITY ? this.security : this.pino;
    if (message instanceof Error) log[level]({ ...facts, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) log[level]({ ...facts, ...message });
    else log[level](facts, String(message));
  }
}

let lastTime = 0;
let lastText = '';

/** The present instant as text, made once a millisecond. */
function timeText(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/**
 * What the log keeps of an error: no members beyond these, because drivers hang statements and their values on their errors.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
