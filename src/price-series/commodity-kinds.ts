import { foldForSearch } from '../lib/text/folding.js';

/** What may be listed as a commodity, and is none. */
type NonCommodity = 'exchange rate' | 'wage';

/**
 * Patterns of the names of what is no commodity, in English, French and Spanish. They are searched
 * in names without accents, in lower case, before the first parenthesis: `Wage (casual labour)` is
 * one, `Milk (casual labour)` is not.
 */
const NON_COMMODITIES: readonly (readonly [NonCommodity, RegExp])[] = [
  ['exchange rate', /\bexchange rates?\b/],
  ['exchange rate', /\btaux de change\b/],
  ['exchange rate', /\b(?:tipos?|tasas?) de cambio\b/],
  ['wage', /\b(?:wages?|salary|salaries|labou?r)\b/],
  ['wage', /\b(?:salaires?|main[ -]d.(?:oe|œ)uvre)\b/],
  ['wage', /\b(?:salarios?|jornal(?:es)?|sueldos?|mano de obra)\b/],
];

/** A name without what is in parentheses: the food of which `Maize (white)` is a kind. */
export const foodNameOf = (name: string): string => foldForSearch(name.split('(', 1)[0]!);

/** What it is that is listed as a commodity and is none, by its name; null for a commodity. */
export function nonCommodityOf(name: string): NonCommodity | null {
  const head = foodNameOf(name);
  return NON_COMMODITIES.find(([, pattern]) => pattern.test(head))?.[0] ?? null;
}

/** Whether it is a commodity by its name, and not an exchange rate or a wage. */
export const isCommodity = (name: string) => nonCommodityOf(name) === null;

/**
 * Categories of what nobody eats, searched without accents in lower case. `food` in front of a
 * category, as in `food (spices)`, says that it is food whatever its name.
 */
const NOT_FOOD_CATEGORIES =
  /^(?:non[- ]?food|non[- ]aliment|no aliment|fuels?\b|energy\b|wages?\b|labou?r\b|services?\b|transport|exchange rates?\b|currency\b|tools?\b|household|hygiene|fertili[sz]ers?\b)/;
const FOOD_CATEGORY = /^food\b/;

/**
 * Names of what nobody eats, before the first parenthesis, without accents in lower case: what is
 * no commodity, fuel, tools, household goods, fertilisers and feed, in English, French and Spanish.
 */
const NOT_FOOD: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ...NON_COMMODITIES,
  [
    'fuel',
    /\b(?:fuels?|petrol|gasoline|gas ?oil|diesel|kerosene|paraffin|charcoal|firewood|fuelwood|briquettes?|electricity)\b|^(?:cooking )?gas$|^lpg\b/,
  ],
  ['fuel', /\b(?:carburants?|gazole|petrole|charbon|bois de (?:chauffe|feu)|electricite)\b|^essence$|^gaz\b/],
  ['fuel', /\b(?:combustibles?|gasolina|gasoleo|queroseno|carbon vegetal|lena|electricidad)\b/],
  [
    'tool',
    /\b(?:machetes?|pangas?|hoes?|axes?|spades?|shovels?|sickles?|ploughs?|ropes?|nails|jerry ?cans?|buckets?|basins?|torch(?:es)?|batter(?:y|ies))\b/,
  ],
  ['tool', /\b(?:houes?|haches?|pelles?|machettes?|bidons?|seaux?|azadas?|hachas?|palas?|baldes?)\b/],
  [
    'household goods',
    /\b(?:soaps?|detergents?|shampoos?|bleach|toothpaste|sanitary|diapers?|nappies|blankets?|mosquito nets?|candles?|matches|bowls?|plates?|mugs?|cups?|cooking pots?|serving spoons?|exercise books?|pens?|pencils?|underwear|cloth(?:es|ing)?)\b/,
  ],
  [
    'household goods',
    /\b(?:savons?|lessive|jabon(?:es)?|detergentes?|couvertures?|mantas?|bols|assiettes?)\b/,
  ],
  ['fertiliser', /\b(?:fertili[sz]ers?|urea|engrais|fertilizantes?|abonos?)\b/],
  ['feed', /^(?:animal |cattle |poultry |chicken )?(?:feed|fodder)\b|^(?:straw|hay)$/],
  ['service', /^(?:transport|milling|grinding|rent)\b/],
];

/**
 * Whether a commodity is food. Its category decides where it says so; else its name does. A
 * maintainer overrules the name by a category that begins with `food`, or with `non-food`.
 */
export function isFood(name: string, category: string): boolean {
  const folded = foldForSearch(category);
  if (FOOD_CATEGORY.test(folded)) return true;
  if (NOT_FOOD_CATEGORIES.test(folded)) return false;
  const head = foodNameOf(name);
  return !NOT_FOOD.some(([, pattern]) => pattern.test(head));
}
