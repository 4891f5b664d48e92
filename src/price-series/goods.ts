import { foldForSearch } from '../lib/text/folding.js';

/** What a commodity of the data may be instead of goods. */
export type NotGoods = 'exchange rate' | 'wage';

/**
 * Patterns of the names of what is no commodity, in English, French and Spanish. They are searched
 * in names without accents, in lower case, before the first parenthesis: `Wage (casual labour)` is
 * one, `Milk (casual labour)` is not.
 */
export const NOT_GOODS: readonly (readonly [NotGoods, RegExp])[] = [
  ['exchange rate', /\bexchange rates?\b/],
  ['exchange rate', /\btaux de change\b/],
  ['exchange rate', /\b(?:tipos?|tasas?) de cambio\b/],
  ['wage', /\b(?:wages?|salary|salaries|labou?r)\b/],
  ['wage', /\b(?:salaires?|main[ -]d.(?:oe|œ)uvre)\b/],
  ['wage', /\b(?:salarios?|jornal(?:es)?|sueldos?|mano de obra)\b/],
];

/** What a commodity is instead of goods, by its name; null where it is goods. */
export function notGoodsOf(name: string): NotGoods | null {
  const head = foldForSearch(name.split('(', 1)[0]!);
  return NOT_GOODS.find(([, pattern]) => pattern.test(head))?.[0] ?? null;
}

/** Whether a commodity is goods by its name, and not an exchange rate or a wage. */
export const isGoods = (name: string) => notGoodsOf(name) === null;
