import helmet, { type HelmetOptions } from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

const YEAR = 31_536_000;

type Header = readonly [name: string, value: string];

/** The security headers of a reply, made once when the process starts. */
export function securityHeaders(secure: boolean): readonly Header[] {
  return secure ? HEADERS.tls : HEADERS.plain;
}

function optionsOf(secure: boolean): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
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

const HEADERS = { plain: record(optionsOf(false)), tls: record(optionsOf(true)) };
