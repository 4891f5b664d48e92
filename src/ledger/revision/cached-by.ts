import { CacheAreas } from '../../platform/http/routes.js';
import type { RevisionArea } from './data-revision.js';

/**
 * Stores replies of a public GET in the page cache until the data of one of these areas change.
 * Only for replies that depend on nothing but the address, the format and the data.
 */
export const CachedBy = (area: RevisionArea, ...more: RevisionArea[]) => CacheAreas(area, ...more);
