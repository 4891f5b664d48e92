import helmet, { type HelmetOptions } from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReplyKind } from '../routes/route-decorators.js';

/** Content security policies by kind, as directives of helmet. */
const POLICIES: Record<ReplyKind, Record<string, string[]>> = {
  api: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // Swagger UI sets inline styles and shows its icons as data URLs.
  docs: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

const YEAR = 31_536_000;

type Header = readonly [name: string, value: string];

/** The security headers of a kind of reply, made once when the process starts. */
export function securityHeaders(kind: ReplyKind, secure: boolean): readonly Header[] {
  return HEADERS[kind][secure ? 'tls' : 'plain'];
}

function optionsOf(kind: ReplyKind, secure: boolean): HelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: POLICIES[kind] },
    referrerPolicy: { policy: 'no-referrer' },
    xContentTypeOptions: true,
    strictTransportSecurity: secure ? { maxAge: YEAR, includeSubDomains: false } : false,
    // Reliability R5 names the headers; these are not among them.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/** Runs helmet on a response that only records what is set. */
function record(options: HelmetOptions): Header[] {
  const headers: Header[] = [];
  const response = {
    setHeader: (name: string, value: string) => {
      // One blank after each directive, as the headers have always been sent.
      headers.push([name, name === 'Content-Security-Policy' ? value.replaceAll(';', '; ') : value]);
    },
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}

const both = (kind: ReplyKind) => ({
  plain: record(optionsOf(kind, false)),
  tls: record(optionsOf(kind, true)),
});
const HEADERS = { api: both('api'), docs: both('docs') } satisfies Record<ReplyKind, unknown>;
