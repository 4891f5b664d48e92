/**
 * What a SELECT ends with, so that its rows stay as they are until the commit. The embedded
 * database needs nothing: it has one writer at a time.
 */
export const rowLock = ({ embedded }: { readonly embedded: boolean }): string =>
  embedded ? '' : ' FOR UPDATE';
