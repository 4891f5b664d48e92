import type { Request } from 'express';
import type { LoginClient, RequestLimits } from '../../auth/auth.service.js';
import { infoOf } from '../../platform/http/request.js';

/** What the service of logins needs of a request. */
export function loginClientOf(request: Request): [LoginClient, RequestLimits] {
  const { client, id, signal, commitDeadline } = infoOf(request);
  return [
    { address: client.address, requestId: id },
    { signal, deadline: commitDeadline },
  ];
}
