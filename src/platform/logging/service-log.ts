import type { LoggerService } from '@nestjs/common';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { FinishedRequest, RequestObserver } from './request-observer.js';
import { LineSink } from './line-sink.js';
import { currentTrace } from './trace-context.js';

/** Members whose values are redacted, at any depth that is logged. */
const SECRETS = ['password', 'token', 'access', 'refresh', 'secret', 'authorization', 'cookie'];
const MASK = '[masked]';
/** Contexts of Nest's own start, which logs every route: of interest for debugging only. */
const NEST_STARTUP = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The logger context of security events, which are written at every level but `silent`. */
export const SECURITY = 'Security';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/**
 * The service's log: one JSON line per event, with its time in UTC. JSON escapes line breaks, so no
 * input can start a line of its own.
 */
export class ServiceLog implements LoggerService, RequestObserver {
  readonly pino: Logger;
  private readonly security: Logger;
  private readonly requests: boolean;
  private last: FinishedRequest | null = null;
  private lastFields = '';

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
        mixin: () => {
          const trace = currentTrace();
          return trace === undefined ? {} : { trace_id: trace.traceId };
        },
        serializers: { err: describeError },
        redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: MASK },
      },
      sink,
    );
    this.security = level === 'silent' ? this.pino : this.pino.child({}, { level: 'info' });
  }

  /** One line per request. Its ids have been validated, so they need no escaping. */
  finished(request: FinishedRequest): void {
    if (!this.requests) return;
    const milliseconds = Math.round(request.milliseconds * 100) / 100;
    const trace = request.traceId === null ? '' : `,"trace_id":"${request.traceId}"`;
    const start = `{"level":"info","time":"${timeText()}","msg":"request","id":"${request.id}"${trace}`;
    this.sink.write(`${start},"ms":${milliseconds}${this.fieldsOf(request)}`);
  }

  /** The fields that most requests share with the one before; building them is expensive. */
  private fieldsOf(request: FinishedRequest): string {
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
      return this.lastFields;
    }
    const { method, route, status, bytes, userId, network, cached, aborted } = request;
    this.last = request;
    this.lastFields = `,${JSON.stringify({
      method,
      route,
      status,
      bytes,
      network,
      ...(userId === null ? {} : { user: userId }),
      ...(cached ? { cached } : {}),
      ...(aborted ? { aborted } : {}),
    }).slice(1)}\n`;
    return this.lastFields;
  }

  log(message: unknown, ...context: unknown[]): void {
    this.write(NEST_STARTUP.has(String(context.at(-1))) ? 'debug' : 'info', message, context);
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

  /** Nest passes the name of the logger last, and sometimes a stack before it. */
  private write(level: 'info' | 'error' | 'warn' | 'debug', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const fields = {
      ...(typeof context === 'string' ? { context } : {}),
      ...(typeof stack === 'string' ? { stack } : {}),
    };
    const log = context === SECURITY ? this.security : this.pino;
    if (message instanceof Error) log[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) log[level]({ ...fields, ...message });
    else log[level](fields, String(message));
  }
}

let lastTime = 0;
let lastText = '';

/** The present instant as text, formatted once a millisecond. */
function timeText(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** The logged members of an error only: drivers attach statements and values to errors. */
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
