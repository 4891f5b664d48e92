import { isFood } from '../commodity-kinds.js';
import type { ReferenceDictionaries } from './reference-dictionaries.js';

const known = new WeakMap<ReferenceDictionaries, Uint8Array>();

/**
 * Which commodities are food: 1 by their index in the dictionary, else 0. Made once for the names
 * of a state of the data, because the patterns of names take their time; not to be changed.
 */
export function foodMask(dictionaries: ReferenceDictionaries): Uint8Array {
  let mask = known.get(dictionaries);
  if (mask === undefined) {
    const { records } = dictionaries.of('commodity');
    mask = Uint8Array.from(records, ({ name, category }) => Number(isFood(name, category)));
    known.set(dictionaries, mask);
  }
  return mask;
}
