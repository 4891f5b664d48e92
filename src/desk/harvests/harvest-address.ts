import { addressOf } from '../../web/address.js';

/** Where harvests are. */
export const HARVESTS = '/desk/harvests';

/** What was done before the page of a harvest is shown, for its first line. */
export const HARVEST_OUTCOMES = [
  'asked',
  'on',
  'off',
  'approved',
  'dismissed',
  'created',
  'saved',
  'removed',
] as const;
export type HarvestOutcome = (typeof HARVEST_OUTCOMES)[number];

export const harvestAddress = (id: number, values: { done?: HarvestOutcome } = {}): string =>
  addressOf(`${HARVESTS}/${id}`, values);

export const runAddress = (id: number, run: number): string => `${harvestAddress(id)}/runs/${run}`;
