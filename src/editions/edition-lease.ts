import { Lease } from '../database/lease.js';

/** Lets one process make an edition at a time, over all machines. */
export const editionLease = new Lease('edition', {
  lost: 'Another process has taken over, because this one did not respond for too long.',
  table: 'edition_lock',
});
