/** Provider token of an `AccountOfToken`. */
export const ACCOUNT_OF_TOKEN = Symbol('AccountOfToken');

/**
 * The id of the account that an `Authorization` header is for; null where its token is not valid.
 * Checks the token alone, without the database: good for counting, never for authentication.
 */
export type AccountOfToken = (authorization: string | undefined) => number | null;
