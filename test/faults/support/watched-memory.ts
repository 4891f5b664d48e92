import type { Service } from './service.js';

interface Most {
  /** Of the service (MB). */
  service: number;
  /** The same with the processes that it has started. */
  together: number;
}

/** The most memory since the function was called. */
export function watchWithChildren(service: Service): (() => Most) & { stop: () => void } {
  const most = { service: 0, together: 0 };
  const look = () => {
    const own = service.residentMemory();
    most.service = Math.max(most.service, own);
    most.together = Math.max(most.together, own + service.residentMemoryOfChildren());
  };
  const timer = setInterval(look, 100);
  return Object.assign(() => ({ ...most }), { stop: () => clearInterval(timer) });
}
