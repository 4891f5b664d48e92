/**
 * Codes that publishers use for a currency of ISO 4217, with who uses them. Codes of another unit
 * of money are none, even where the money is the same: 1,000,000 VES are one VED, 10,000 BYR one
 * BYN.
 * SLS, of Somaliland, has no code in ISO 4217 and stands for itself.
 */
const ALIASES: Readonly<Record<string, { readonly code: string; readonly reference: string }>> = {
  NIS: {
    code: 'ILS',
    reference: 'Bank of Israel, "new Israel shekel (NIS)"; files of WFP up to 2021 for Palestine',
  },
  RMB: {
    code: 'CNY',
    reference: 'People\'s Bank of China, "renminbi (RMB)"',
  },
  ZIG: {
    code: 'ZWG',
    reference: 'Reserve Bank of Zimbabwe, "Zimbabwe Gold (ZiG)"; list of currencies of WFP',
  },
};

/** The code in ISO 4217 of a currency code in upper case; the code itself where it is no alias. */
export const isoCurrency = (code: string): string =>
  Object.hasOwn(ALIASES, code) ? ALIASES[code]!.code : code;

/** The publication that has an alias; null for the codes of ISO 4217. */
export const aliasReference = (code: string): string | null =>
  Object.hasOwn(ALIASES, code) ? ALIASES[code]!.reference : null;

/** The other codes of a currency. */
export const currencyAliases = (code: string): string[] =>
  Object.keys(ALIASES).filter((alias) => ALIASES[alias]!.code === code);
