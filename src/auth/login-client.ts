import type { IncomingMessage } from 'node:http';
import { infoOf } from '../platform/http/request.js';
import type { LoginClient, RequestLimits } from './auth.service.js';

/** What `AuthService` has to know of a request: its client, and how long it may take. */
export function loginClientOf(request: IncomingMessage): [LoginClient, RequestLimits] {
  const { client, id, signal, commitDeadline } = infoOf(request);
  return [
    { address: client.address, requestId: id },
    { signal, deadline: commitDeadline },
  ];
}
