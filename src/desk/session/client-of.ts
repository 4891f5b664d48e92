import type { Request } from 'express';
import type { Client, RequestLimits } from '../../auth/auth.service.js';
import { contextOf } from '../../platform/http/request/request-context.js';

/** What the service of logins needs of a request. */
export function clientOf(request: Request): [Client, RequestLimits] {
  const { clientAddress, id, signal, commitDeadline } = contextOf(request);
  return [
    { address: clientAddress, requestId: id },
    { signal, deadline: commitDeadline },
  ];
}
