/** Provider token of an `AccountOfToken`. */
export const ACCOUNT_OF_TOKEN = Symbol('AccountOfToken');

/**
 * The id of the account that an `Authorization` header speaks for, or null where the token is not a good one. Looks at the token
 * alone, not at the database: it is for counting, never for letting anybody in.
 */
export type AccountOfToken = (authorization: string | undefined) => number | null;
