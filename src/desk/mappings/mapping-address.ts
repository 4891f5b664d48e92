import { addressOf, type AddressValues } from '../../web/address.js';

/** Where mappings are. */
export const MAPPINGS = '/desk/mappings';

/** What was done before a page is shown, for its first line. */
export const MAPPING_OUTCOMES = ['created', 'saved', 'removed'] as const;
export type MappingOutcome = (typeof MAPPING_OUTCOMES)[number];

/** The address of a mapping, or of one of its versions. */
export const mappingAddress = (
  name: string,
  values: AddressValues & { done?: MappingOutcome; version?: number | undefined } = {},
): string => addressOf(`${MAPPINGS}/${encodeURIComponent(name)}`, values);
