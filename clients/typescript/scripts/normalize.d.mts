/** The digest of what the types of an API document depend on. */
export function digestOf(document: object): string;
/** What the types of an API document depend on. */
export function normalize(document: object): object;
