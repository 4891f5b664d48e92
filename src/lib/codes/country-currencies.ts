import data from './country-currencies.json' with { type: 'json' };

/*
 * `country-currencies.json` has the codes of ISO 4217 for each entry of ISO 3166-1, those in use
 * before those that were withdrawn: list one and list three, as of 2026-02, without the codes of
 * funds. What the lists have under former countries (Yugoslavia, Zaire, the Soviet Union, ...) is
 * with each country that has followed them. Added, because ISO has no entry: SLS, which Somaliland
 * uses, for SOM; the currencies in use in Palestine and Kosovo; foreign legal tender in Zimbabwe.
 */
const currencies: Readonly<Record<string, readonly string[]>> = data;

/**
 * The ISO 4217 codes of the currencies that a country has or had, in use first; empty where it has
 * none or is not in ISO 3166-1.
 * @param iso3 alpha-3 code
 */
export function currenciesOf(iso3: string): readonly string[] {
  return Object.hasOwn(currencies, iso3) ? currencies[iso3]! : [];
}
