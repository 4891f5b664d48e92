import { Lease } from '../../database/lease.js';

/** Lets one process run harvests at a time, over all machines. */
export const harvestLease = new Lease('harvests', {
  lost: 'Another process has taken over, because this one did not respond for too long.',
});
