/**
 * What the prices of a series are, as SDMX's observation status tells it: observed, estimated or
 * forecast. Estimates and forecasts are series of their own beside the observed one, with uuids of
 * their own. The column `status` has the place in this list.
 */
export const SERIES_STATUSES = ['observed', 'estimated', 'forecast'] as const;
export type SeriesStatus = (typeof SERIES_STATUSES)[number];

/** What rows of files may say beside these: it is a mark of an observed price, not of a series. */
export const PROVISIONAL_STATUS = 'provisional';

/**
 * The condition that a series `s` is of observed prices. Almost all are: SQLite, which has no such
 * statistics, must not read them by the index of the column, which the sign prevents.
 */
export const IS_OBSERVED = '+s.status = 0';

/** Which series a snapshot of the catalogue has: observed ones, or those of every status. */
export type CatalogueScope = 'observed' | 'all';

/**
 * Which series a request may see: those of a snapshot, or the ones with these uuids, of whatever
 * status they are.
 */
export type SeriesScope = CatalogueScope | { readonly uuids: readonly string[] };
