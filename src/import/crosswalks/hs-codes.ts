/*
 * Codes of the Harmonized System 2022 for the commodity names that WFP, FAO and national price
 * reports use. The assignment is our own: six digits where the name determines them, else the
 * heading or the chapter. A name that fits two chapters ("Chicken": the bird or its meat) has no
 * rule, because a wrong code would make filters return wrong prices.
 *
 * A rule applies to every name that has the same words before the parenthesis, and all of the
 * rule's words in it. The rule with the most words wins, of equals the first. So `Rice` also
 * applies to `Rice (imported)`, unless a longer rule such as `Rice (paddy)` does. Foods count as
 * fresh unless their name says otherwise, and grains and pulses as not for sowing.
 */
const CODES_BY_NAME = `
0101   Livestock (donkey); Livestock (horse)
0102   Livestock (cattle); Livestock (bull); Livestock (ox)
0103   Livestock (pig)
010410 Livestock (sheep); Sheep
010420 Livestock (goat)
0105   Livestock (hen)
010613 Livestock (camel)
0201   Meat (beef); Meat (veal); Meat (buffalo)
0202   Meat (beef, frozen)
020120 Meat (beef, with bones)
020130 Meat (beef, without bones); Meat (beef, minced)
0203   Meat (pork)
0204   Meat (mutton); Meat (sheep); Meat (lamb); Mutton meat
020450 Meat (goat)
0206   Meat (offal)
0207   Meat (chicken); Chicken meat; Chicken (whole)
020712 Meat (chicken, whole, frozen)
0208   Meat (beef, bushmeat)
020860 Meat (camel)
020910 Fat (salo)
021099 Meat (antelope, smoked); Meat (gazelle, smoked)
160100 Meat (sausage)
160250 Meat (beef, canned)

03     Fish; Anchovies
0301   Fish (live)
0302   Fish (fresh)
0303   Fish (frozen)
0305   Fish (dry); Fish (dried); Fish (salted); Fish (smoked)
0306   Crab; Prawn; Shrimp; Shrimps
0307   Snail
1604   Fish (canned)
160413 Fish (sardine, canned)
160414 Fish (tuna, canned)
210390 Fish sauce

0401   Milk
0402   Milk (powder); Milk (condensed)
0403   Lben; Kefir; Sour cream
040320 Yogurt
040510 Butter
040590 Ghee (natural)
0406   Cheese
0407   Eggs
040790 Eggs (fermented)
04     Curd; Labaneh
040900 Honey
190110 Milk (infant formula)

070190 Potatoes; Potato
070200 Tomatoes; Tomato
070310 Onions; Onion
0703   Onions (spring); Onions leaves
070320 Garlic
070410 Cauliflower; Broccoli
070490 Cabbage; Kale
070999 Cabbage (slippery)
0705   Lettuce
070610 Carrots
070690 Radish; Beetroots
070700 Cucumbers; Cucumber
0708   Beans (fresh); Beans (pod)
070810 Peas (fresh)
070820 Beans (green, fresh); Beans (haricot, green); Beans (string); Beans (yardlong)
0709   Bitterball; Young fern; Gourd; Bitter melon; Jute mallow; Rocca; Swiss chard; Spinach (indian); Bananas flower; Amaranth (fresh); Drumstick
070930 Eggplants
070960 Peppers (fresh); Peppers (green); Peppers (sweet); Jalapeño pepper; Chili (green); Chili (fresh)
070970 Spinach
070993 Pumpkin; Squashes; Zucchini
070999 Okra; Parsley; Snake gourd; Bottle gourd; Choko; Water spinach; Watercress; Coriander leaves; Cassava leaves; Potato leaves; Sweet potato leaves; Taro leaves; Cowpea leaves; Beans leaves; Pumpkin leaves; Radish (leaves); Mustard leaves; Rape leaves
07     Leafy vegetables; Beans (green); Beans (long); Beans (haricot, red); Beans (haricot, white); Beans (haricot, yellow); Peas
071290 Tomatoes (dried); Okra (dry)
0713   Beans; Pulses; Lentils (black)
071310 Peas (dry); Peas (split); Peas (yellow)
071320 Chickpeas; Gram; Gram dal
071331 Beans (mung); Bean (mung); Beans (mash); Beans (black gram); Gram (black); Gram (green); Lentils (moong); Lentils (urad); Moong dal; Urad dal
071333 Beans (kidney); Beans (haricot); Beans (black); Beans (pinto); Beans (cranberry); Beans (rosecoco); Beans (sugar); Beans (silk red); Beans (catarino)
071334 Groundnuts (bambara)
071335 Cowpeas; Beans (niebe); Beans (nhemba)
071339 Beans (butter)
071340 Lentils; Masoor dal; Pulses (masoor)
071350 Beans (fava)
071360 Pigeon peas; Tur arhar dal
071410 Cassava; Cassava tubers; Cassava chips
071420 Sweet potatoes
071430 Yam
071440 Taro
071450 Cocoyam (macabo)
2002   Tomatoes (canned)
2005   Beans (tinned); Beans (canned); Beans (fava, tinned)

0801   Coconut; Cashew nut
0802   Walnuts; Chestnut
080310 Plantains
080390 Bananas
080410 Dates
080430 Pineapples
080440 Avocados
080450 Mangoes; Mango; Guava
0805   Citrus; Calamansi
080510 Oranges
080521 Mandarins
080550 Lemons; Lemon; Limes
080590 Kumquat
080610 Grapes
080711 Watermelons
080719 Melons
080720 Papaya
080810 Apples
080910 Apricots
080930 Peach; Peaches
081010 Strawberries
081020 Blackberry
081090 Passion fruit; Naranjilla; Tree tomatoes; Breadfruit; Jackfruit; Starfruit; Dragon fruit; Soursop; Duku; Nance; Noni; Cashew fruit; Apples (tahitian); Apples (malay)
081330 Apples (dried)
08     Tamarind

0901   Coffee
0902   Tea (black); Tea (green); Tea leaves; Tea loose
0904   Peppers (dry); Peppers (dried)
090422 Chili (powdered); Chili (powdered, fresh)
090421 Chili (dry)
0910   Ginger
091012 Ginger powder
091030 Turmeric
091091 Curry powder
210111 Coffee (instant)

1001   Wheat
100390 Barley
100590 Maize
100510 Maize (seed)
1006   Rice (unmilled); Rice (5% broken); Rice (10% broken); Rice (15% broken); Rice (20% broken); Rice (25% broken); Rice (35% broken)
100610 Rice (paddy)
100630 Rice
100640 Rice (broken)
100790 Sorghum
1008   Teff
100810 Buckwheat
100829 Millet
100840 Fonio
100850 Quinoa
11     Maize (crushed); Buckwheat grits
110100 Wheat flour; Wheat (flour); Atta (wheat)
110220 Maize flour; Maize (flour)
110290 Millet flour; Sorghum flour; Millet (flour); Sorghum (flour); Rice (flour)
1103   Semolina
110311 Wheat meal; Wheat (semolina)
110313 Maize meal; Maize (meal)
110319 Sorghum meal
110412 Oat flakes
110620 Cassava flour; Cassava (flour); Cassava meal; Gari; Yam (flour)
110812 Cornstarch; Maize starch
190300 Cassava meal (tapioca)

120190 Soybeans
1202   Groundnuts; Peanut; Peanuts
120241 Groundnuts (unshelled)
120242 Groundnuts (shelled)
120400 Lin seed
1205   Rape seed
120740 Sesame
120770 Melon seeds
120799 Niger seed
1211   Kava; Mint
200811 Groundnuts (paste); Peanuts (roasted)

15     Oil (vegetable); Oil (palm nut); Oil (cooking); Oil (mixed); Vegetable oil; Ghee (artificial); Ghee (vanaspati); Vanaspati; Cooking fat
1507   Oil (soybean); Soya oil; Soybean oil
1508   Oil (groundnut); Groundnut oil
1509   Oil (olive); Olive oil
1511   Oil (palm); Palm oil
1512   Oil (sunflower); Oil (cotton); Sunflower oil
1513   Oil (coconut); Coconut oil
1514   Oil (mustard); Mustard oil
1515   Oil (maize); Oil (corn)

1701   Sugar; Jaggery; Gur
170199 Sugar (white)
18     Cocoa
180500 Cocoa (powder, not sweetened)
1902   Pasta; Noodles; Vermicelli; Shemai
190230 Noodles (instant)
190240 Couscous
190430 Bulgur
190590 Bread; Tortilla
2001   Pickle; Mangoes (pickle)
200290 Tomatoes (paste)
2102   Yeast
210410 Seasoning (maggi cube)
230210 Maize (bran)
230230 Wheat (bran)
230240 Rice (bran)
250100 Salt; Salt pack
`;

/** Names that a rule above applies to wrongly, and for which no code fits. */
const WITHOUT_CODE = [
  'Breadfruit (cooked)',
  'Cassava meal (attieke)',
  'Cassava (chikwangue)',
  'Kava bowl',
  'Mangoes (powder)',
  'Tomatoes (bitter)',
];

interface NameRule {
  readonly words: readonly string[];
  readonly code: string | null;
}

/** The rules by the name before the parenthesis, those with the most words in it first. */
const rulesByBase = new Map<string, NameRule[]>();
for (const text of CODES_BY_NAME.trim().split('\n')) {
  const match = /^(\d+)\s+(.+)$/.exec(text);
  for (const name of match?.[2]!.split(';') ?? []) addRule(name, match![1]!);
}
for (const name of WITHOUT_CODE) addRule(name, null);

function addRule(name: string, code: string | null): void {
  const { base, words } = parseName(name);
  const rules = rulesByBase.get(base) ?? [];
  rules.push({ words, code });
  rulesByBase.set(
    base,
    rules.sort((a, b) => b.words.length - a.words.length),
  );
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
