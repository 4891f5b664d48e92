import codes from './hs-codes.json' with { type: 'json' };

/*
 * Codes of the Harmonized System 2022 for the commodity names that WFP, FAO and national price
 * reports use. The assignment is our own: six digits where the name determines them, else the
 * heading or the chapter. A name that fits two chapters ("Chicken": the bird or its meat) has no
 * rule, because a wrong code would make filters return wrong prices.
 *
 * A rule applies to every name that has the same words before the parenthesis, and all of the
 * rule's words in it. The rule with the most words wins, of equals the first. So `Rice` also
 * applies to `Rice (imported)`, unless a longer rule such as `Rice (paddy)` does. Foods count as
 * fresh unless their name says otherwise, and grains and pulses as not for sowing. A rule without a
 * code is for names that a shorter one applies to wrongly.
 */

interface NameRule {
  readonly words: readonly string[];
  readonly code: string | null;
}

/** The rules by the name before the parenthesis, those with the most words in it first. */
const rulesByBase = new Map<string, NameRule[]>();
for (const [name, code] of Object.entries(codes)) {
  const { base, words } = parseName(name);
  const rules = rulesByBase.get(base) ?? [];
  rules.push({ words, code });
  rules.sort((a, b) => b.words.length - a.words.length);
  rulesByBase.set(base, rules);
}

/**
 * The Harmonized System 2022 code (2, 4 or 6 digits) of a commodity name, or null if the name does
 * not determine one. Ignores letter case, accents and punctuation.
 */
export function hsCodeOf(commodity: string): string | null {
  const { base, words } = parseName(commodity);
  const rules = rulesByBase.get(base) ?? [];
  return rules.find((rule) => rule.words.every((word) => words.includes(word)))?.code ?? null;
}

/** `Fish (tuna, canned)` -> `fish`, [`tuna`, `canned`]. */
function parseName(name: string): { base: string; words: string[] } {
  const folded = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const parenthesis = folded.indexOf('(');
  const wordsOf = (text: string) => text.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return parenthesis < 0
    ? { base: wordsOf(folded).join(' '), words: [] }
    : { base: wordsOf(folded.slice(0, parenthesis)).join(' '), words: wordsOf(folded.slice(parenthesis)) };
}
