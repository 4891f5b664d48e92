import { QUANTITY } from '../numbers/quantity.js';

/** The kinds of quantity that units measure. */
export const UNIT_DIMENSIONS = ['mass', 'volume', 'count', 'other'] as const;
export type UnitDimension = (typeof UNIT_DIMENSIONS)[number];

/** What a unit's name defines. */
export interface UnitAttributes {
  readonly dimension: UnitDimension;
  /**
   * An amount per unit × factor = the amount per kilogram (mass) or litre (volume), with 15
   * significant digits;
   * null for other units.
   */
  readonly conversion_factor: number | null;
}

/*
 * Kilograms of one unit. Exact by definition: pound (international agreement of 1959), ounce =
 * pound / 16, short ton = 2000 and long ton = 2240 pounds. Units whose mass differs between
 * countries are left out on purpose: libra (0.45359237 or 0.46 kg), quintal (46 or 100 kg),
 * hundredweight, arroba, maund, bushel. Such a unit has a factor only if its name states the mass.
 * `tons` are metric, as in tables of the United Nations; a single `ton` may be a short or a long
 * one, `t` and `gr` (gram or grain) are too short to tell.
 */
const POUND = 0.45359237;
const KILOGRAMS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    kg: 1,
    kgs: 1,
    kilo: 1,
    kilos: 1,
    kilogram: 1,
    kilograms: 1,
    kilogramm: 1,
    'kilo gram': 1,
    'kilo grams': 1,
    kilogramme: 1,
    kilogrammes: 1,
    kilogramo: 1,
    kilogramos: 1,
    quilo: 1,
    quilos: 1,
    quilograma: 1,
    quilogramas: 1,
    кг: 1,
    килограмм: 1,
    килограмма: 1,
    килограммов: 1,
    g: 0.001,
    gm: 0.001,
    gms: 0.001,
    gram: 0.001,
    grams: 0.001,
    gramm: 0.001,
    gramme: 0.001,
    grammes: 0.001,
    gramo: 0.001,
    gramos: 0.001,
    grama: 0.001,
    gramas: 0.001,
    г: 0.001,
    грамм: 0.001,
    граммов: 0.001,
    mt: 1000,
    tonne: 1000,
    tonnes: 1000,
    tons: 1000,
    'metric ton': 1000,
    'metric tons': 1000,
    'metric tonne': 1000,
    'metric tonnes': 1000,
    'tonne métrique': 1000,
    'tonnes métriques': 1000,
    tonelada: 1000,
    toneladas: 1000,
    'tonelada métrica': 1000,
    'toneladas métricas': 1000,
    тонна: 1000,
    тонны: 1000,
    тонн: 1000,
    'short ton': 2000 * POUND,
    'short tons': 2000 * POUND,
    'long ton': 2240 * POUND,
    'long tons': 2240 * POUND,
    pound: POUND,
    pounds: POUND,
    lb: POUND,
    lbs: POUND,
    oz: POUND / 16,
    ounce: POUND / 16,
    ounces: POUND / 16,
  }),
);

/*
 * Litres of one unit. A plain gallon is left out: in the United States it is 3.785411784 l, the
 * imperial one is 4.54609 l, and published data do not say which.
 */
const LITRES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    l: 1,
    litre: 1,
    liter: 1,
    litres: 1,
    liters: 1,
    ltr: 1,
    ltrs: 1,
    lt: 1,
    lts: 1,
    litro: 1,
    litros: 1,
    л: 1,
    литр: 1,
    литра: 1,
    литров: 1,
    ml: 0.001,
    мл: 0.001,
    cc: 0.001,
    mililitro: 0.001,
    mililitros: 0.001,
    mls: 0.001,
    millilitre: 0.001,
    milliliter: 0.001,
    millilitres: 0.001,
    milliliters: 0.001,
    cl: 0.01,
    centilitre: 0.01,
    centiliter: 0.01,
    centilitres: 0.01,
    centiliters: 0.01,
    dl: 0.1,
    decilitre: 0.1,
    deciliter: 0.1,
    decilitres: 0.1,
    deciliters: 0.1,
    'cubic meter': 1000,
    'cubic metre': 1000,
    'cubic meters': 1000,
    'cubic metres': 1000,
    m3: 1000,
    'us gallon': 3.785411784,
    'us gallons': 3.785411784,
    'imperial gallon': 4.54609,
    'imperial gallons': 4.54609,
  }),
);

/** Units whose dimension is unambiguous but whose size is not. */
const UNSIZED: ReadonlyMap<string, 'mass' | 'volume'> = new Map([
  ['libra', 'mass'],
  ['libras', 'mass'],
  ['quintal', 'mass'],
  ['quintals', 'mass'],
  ['gallon', 'volume'],
  ['gallons', 'volume'],
]);

/** Units of count: pieces, heads, loaves. */
const COUNTED = new Set(
  'unit units piece pieces pc pcs each ea head heads pair pairs dozen dozens loaf loaves bunch bunches'.split(
    ' ',
  ),
);

/** `46`, `1.5`, `1/2`, `1 1/2`. */
const NUMBER = '(\\d+(?:\\.\\d+)?|(?:\\d+ )?\\d+/\\d+)';
const AMOUNT = new RegExp(`^${NUMBER}?\\s*(\\p{L}[\\p{L}\\d ]*?)\\.?$`, 'u');
/** A mass or volume in parentheses: `Spanish quintal (46 kg)`. */
const STATED = new RegExp(`\\(\\s*${NUMBER}\\s*(\\p{L}+)\\.?\\s*\\)$`, 'u');
/** What contents come in; its name adds nothing where the content is stated. */
const CONTAINER =
  '(?:bags?|sacks?|packets?|packs?|bottles?|tins?|cans?|jars?|cartons?|box(?:es)?' +
  '|sacs?|sachets?|boîtes?|bouteilles?|sacos?|bolsas?|botellas?|latas?|cajas?|caixas?|garrafas?' +
  '|меш(?:ок|ка|ков)|пач(?:ка|ки|ек)|бутыл(?:ка|ки|ок))';
const CONTENT = `${NUMBER}\\s*(\\p{L}+)\\.?`;
/** Content and container without parentheses: `50 kg bag`, `sac de 50 kg`. */
const CONTAINED = [
  new RegExp(`^(?:1 )?${CONTENT} ${CONTAINER}$`, 'u'),
  new RegExp(`^(?:1 )?${CONTAINER} (?:of |de |d'|da |do )?${CONTENT}$`, 'u'),
];
/** Before a unit: `per kg`, `/kg`. */
const PER = /^(?:\/ ?|(?:per|par|por) )/;
/** A number that may be thousands of a small unit: `1.000 g`, of which a kilogram may be meant. */
const MAY_BE_THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;
const SMALL = 0.001;
/** The decimal comma of a number. Three digits behind a comma may be thousands. */
const DECIMAL_COMMA = /(?<=^|\D)(\d+),(\d{1,2}|\d{4,})(?!\d)/g;
/** A fraction that is one character, such as ½. */
const FRACTION = /(\d)?\s*([\u00bc-\u00be\u2150-\u215e])/g;

/**
 * Parses a published unit name: `46 KG` is a mass whose factor is 1/46.
 * Case-insensitive. A name that is ambiguous between countries has no factor, because a wrong one
 * would be worse than none.
 */
export function parseUnitName(name: string): UnitAttributes {
  // FEWS NET joins number and unit with an underscore: `90_kg`.
  const text = name
    .trim()
    .toLowerCase()
    .replace(FRACTION, (_, whole: string | undefined, fraction: string) => {
      const text = fraction.normalize('NFKD').replace('\u2044', '/');
      return whole === undefined ? text : `${whole} ${text}`;
    })
    .replace(DECIMAL_COMMA, '$1.$2')
    .replace(/(\d)-(?=\p{L})/gu, '$1 ')
    .replace(/[\s_]+/g, ' ')
    .replace(/\bm\.t\b/, 'mt')
    .replace(PER, '');
  const stated = STATED.exec(text);
  const contained = stated ?? CONTAINED[0]!.exec(text) ?? CONTAINED[1]!.exec(text);
  const match = contained ?? AMOUNT.exec(text);
  if (match === null) return { dimension: 'other', conversion_factor: null };
  const quantity = amount(match[1]);
  const unit = match[2]!;
  const kilograms = KILOGRAMS.get(unit);
  const litres = LITRES.get(unit);
  if ((kilograms ?? litres) === SMALL && MAY_BE_THOUSANDS.test(match[1] ?? ''))
    return { dimension: kilograms === undefined ? 'volume' : 'mass', conversion_factor: null };
  if (kilograms !== undefined) return measured('mass', quantity * kilograms);
  if (litres !== undefined) return measured('volume', quantity * litres);
  if (stated) return parseUnitName(text.slice(0, stated.index));
  return { dimension: UNSIZED.get(unit) ?? (COUNTED.has(unit) ? 'count' : 'other'), conversion_factor: null };
}

function amount(text: string | undefined): number {
  if (text === undefined) return 1;
  const [fraction, whole] = text.split(' ').reverse();
  const [numerator, denominator] = fraction!.split('/');
  return Number(whole ?? 0) + Number(numerator) / Number(denominator ?? 1);
}

function measured(dimension: 'mass' | 'volume', size: number): UnitAttributes {
  // Rejects impossible sizes (`1/0 kg`); imports accept only factors within these bounds.
  return size >= QUANTITY.atLeast && size <= QUANTITY.atMost
    ? { dimension, conversion_factor: Number((1 / size).toPrecision(15)) }
    : { dimension, conversion_factor: null };
}
