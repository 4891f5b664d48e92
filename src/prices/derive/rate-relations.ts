import { aliasReference, isoCurrency } from '../../lib/codes/currency-aliases.js';

/** A currency that the law keeps at a fixed number of units for one unit of another, its anchor. */
interface RateRelation {
  readonly currency: string;
  readonly anchor: string;
  /** Units of the currency for one unit of the anchor. */
  readonly units: number;
  /** The first day on which it holds. */
  readonly from: string;
  /** The last day; null where it still holds. */
  readonly until: string | null;
  /** The law or the publication that fixes it. */
  readonly reference: string;
}

/** A currency that another one has replaced: so many units of it became one of the successor. */
export interface Redenomination {
  readonly currency: string;
  readonly successor: string;
  /** Units of the currency for one unit of the successor. */
  readonly units: number;
  /** The first day of the successor. */
  readonly from: string;
  /** The law or the publication that fixes it. */
  readonly reference: string;
}

const COMMON_MONETARY_AREA =
  'Rand Monetary Area Agreement of 5 December 1974; Multilateral Monetary Agreement of the Common ' +
  'Monetary Area, 1992 (par with the South African rand)';
const CFA_AND_COMORIAN_FRANCS = 'Council Decision 98/683/EC of 23 November 1998 (OJ L 320, 28.11.1998)';

/**
 * The fixed legal relations between currencies. Pegs that a central bank keeps by policy, and may
 * give up overnight, are not among them. Several relations of a currency are tried in order.
 */
export const RATE_RELATIONS: readonly RateRelation[] = [
  {
    currency: 'PAB',
    anchor: 'USD',
    units: 1,
    from: '1904-06-28',
    until: null,
    reference: 'Panama, Ley 84 de 28 de junio de 1904 (the balboa is at par with the US dollar)',
  },
  {
    currency: 'LSL',
    anchor: 'ZAR',
    units: 1,
    from: '1980-01-22',
    until: null,
    reference: COMMON_MONETARY_AREA,
  },
  {
    currency: 'NAD',
    anchor: 'ZAR',
    units: 1,
    from: '1993-09-15',
    until: null,
    reference: COMMON_MONETARY_AREA,
  },
  {
    currency: 'SZL',
    anchor: 'ZAR',
    units: 1,
    from: '1974-09-06',
    until: null,
    reference: COMMON_MONETARY_AREA,
  },
  {
    currency: 'XOF',
    anchor: 'EUR',
    units: 655.957,
    from: '1999-01-01',
    until: null,
    reference: CFA_AND_COMORIAN_FRANCS,
  },
  {
    currency: 'XAF',
    anchor: 'EUR',
    units: 655.957,
    from: '1999-01-01',
    until: null,
    reference: CFA_AND_COMORIAN_FRANCS,
  },
  {
    currency: 'KMF',
    anchor: 'EUR',
    units: 491.96775,
    from: '1999-01-01',
    until: null,
    reference: CFA_AND_COMORIAN_FRANCS,
  },
  {
    currency: 'CVE',
    anchor: 'EUR',
    units: 110.265,
    from: '1999-01-01',
    until: null,
    reference: 'Council Decision 98/744/EC of 21 December 1998 (OJ L 358, 31.12.1998)',
  },
  {
    currency: 'BAM',
    anchor: 'EUR',
    units: 1.95583,
    from: '1999-01-01',
    until: null,
    reference:
      'Law on the Central Bank of Bosnia and Herzegovina, 1997 (par with the German mark); ' +
      'Council Regulation (EC) No 2866/98 (1 EUR = 1.95583 DEM)',
  },
  {
    currency: 'XPF',
    anchor: 'EUR',
    units: 1000 / 8.38,
    from: '1999-01-01',
    until: null,
    reference: 'France, décret n° 98-1152 and arrêté of 31 December 1998 (1000 XPF = 8.38 EUR)',
  },
  {
    currency: 'BTN',
    anchor: 'INR',
    units: 1,
    from: '1974-04-16',
    until: null,
    reference: 'Bhutan, Royal Monetary Authority Act (the ngultrum is at par with the Indian rupee)',
  },
  // Other codes of the same money, which imports read as the code of ISO since 2026-11.
  {
    currency: 'NIS',
    anchor: 'ILS',
    units: 1,
    from: '1985-09-04',
    until: null,
    reference: 'Bank of Israel, new Israel shekel (NIS, in ISO 4217 ILS)',
  },
  {
    currency: 'RMB',
    anchor: 'CNY',
    units: 1,
    from: '1955-03-01',
    until: null,
    reference: "People's Bank of China, renminbi (RMB, in ISO 4217 CNY)",
  },
  {
    currency: 'ZIG',
    anchor: 'ZWG',
    units: 1,
    from: '2024-04-05',
    until: null,
    reference: 'Reserve Bank of Zimbabwe, Zimbabwe Gold (ZiG, in ISO 4217 ZWG)',
  },
];

/**
 * Currencies that have lost zeros. A file may go on using the old code for prices in the new units,
 * and may convert the old prices too: the level of a price shows which units it is in.
 */
export const REDENOMINATIONS: readonly Redenomination[] = [
  {
    currency: 'BYR',
    successor: 'BYN',
    units: 10_000,
    from: '2016-07-01',
    reference: 'Belarus, Decree of the President No. 450 of 4 November 2015',
  },
  {
    currency: 'SLL',
    successor: 'SLE',
    units: 1000,
    from: '2022-07-01',
    reference: 'Bank of Sierra Leone, redenomination of the leone of 1 July 2022',
  },
  {
    currency: 'STD',
    successor: 'STN',
    units: 1000,
    from: '2018-01-01',
    reference: 'Banco Central de São Tomé e Príncipe, new dobra of 1 January 2018',
  },
  {
    currency: 'MRO',
    successor: 'MRU',
    units: 10,
    from: '2018-01-01',
    reference: 'Banque Centrale de Mauritanie, new ouguiya of 1 January 2018',
  },
  {
    currency: 'VEB',
    successor: 'VEF',
    units: 1000,
    from: '2008-01-01',
    reference: 'Venezuela, Decreto-Ley 5.229 de Reconversión Monetaria, 6 March 2007',
  },
  {
    currency: 'VEF',
    successor: 'VES',
    units: 100_000,
    from: '2018-08-20',
    reference: 'Venezuela, Decreto 3.548 of 25 July 2018 (Gaceta Oficial 41.446)',
  },
  {
    currency: 'VES',
    successor: 'VED',
    units: 1_000_000,
    from: '2021-10-01',
    reference: 'Venezuela, Decreto 4.553 of 6 August 2021 (Gaceta Oficial 42.185)',
  },
  {
    currency: 'ZMK',
    successor: 'ZMW',
    units: 1000,
    from: '2013-01-01',
    reference: 'Zambia, Re-denomination of Currency Act, 2012 (No. 8 of 2012)',
  },
  {
    currency: 'ZWL',
    successor: 'ZWG',
    units: 2498.7242,
    from: '2024-04-05',
    reference: 'Zimbabwe, Statutory Instrument 60 of 2024 (converted at 2,498.7242 on 8 April 2024)',
  },
  {
    currency: 'SDD',
    successor: 'SDG',
    units: 100,
    from: '2007-01-10',
    reference: 'Central Bank of Sudan, new pound of 10 January 2007 (100 dinars)',
  },
  {
    currency: 'GHC',
    successor: 'GHS',
    units: 10_000,
    from: '2007-07-01',
    reference: 'Bank of Ghana, redenomination of the cedi of 1 July 2007',
  },
  {
    currency: 'MZM',
    successor: 'MZN',
    units: 1000,
    from: '2006-07-01',
    reference: 'Mozambique, Lei 7/2005 (metical da nova família)',
  },
  {
    currency: 'TMM',
    successor: 'TMT',
    units: 5000,
    from: '2009-01-01',
    reference: 'Central Bank of Turkmenistan, redenomination of the manat of 1 January 2009',
  },
  {
    currency: 'AZM',
    successor: 'AZN',
    units: 5000,
    from: '2006-01-01',
    reference: 'Central Bank of Azerbaijan, denomination of the manat of 1 January 2006',
  },
  {
    currency: 'TRL',
    successor: 'TRY',
    units: 1_000_000,
    from: '2005-01-01',
    reference: 'Türkiye, Law No. 5083 on the Currency Unit, 28 January 2004',
  },
  {
    currency: 'ROL',
    successor: 'RON',
    units: 10_000,
    from: '2005-07-01',
    reference: 'Romania, Legea nr. 348/2004 privind denominarea monedei naționale',
  },
  {
    currency: 'PEI',
    successor: 'PEN',
    units: 1_000_000,
    from: '1991-07-01',
    reference: 'Perú, Ley N.° 25295 of 31 December 1990 (nuevo sol)',
  },
  {
    currency: 'ARA',
    successor: 'ARS',
    units: 10_000,
    from: '1992-01-01',
    reference: 'Argentina, Decreto 2128/91 of 10 October 1991 (peso)',
  },
  {
    currency: 'SDP',
    successor: 'SDD',
    units: 10,
    from: '1992-06-08',
    reference: 'Bank of Sudan, introduction of the dinar of 8 June 1992 (10 pounds)',
  },
  {
    currency: 'MXP',
    successor: 'MXN',
    units: 1000,
    from: '1993-01-01',
    reference: 'México, decreto of 18 June 1992 (DOF 22 June 1992, nuevo peso)',
  },
  {
    currency: 'UYP',
    successor: 'UYU',
    units: 1000,
    from: '1993-03-01',
    reference: 'Uruguay, Ley N.° 16.226 of 29 October 1991 (peso uruguayo)',
  },
  {
    currency: 'LVR',
    successor: 'LVL',
    units: 200,
    from: '1993-03-05',
    reference: 'Bank of Latvia, introduction of the lats of 5 March 1993 (200 roubles)',
  },
  {
    currency: 'LTT',
    successor: 'LTL',
    units: 100,
    from: '1993-06-25',
    reference: 'Bank of Lithuania, introduction of the litas of 25 June 1993 (100 talonas)',
  },
  {
    currency: 'BRE',
    successor: 'BRR',
    units: 1000,
    from: '1993-08-01',
    reference: 'Brasil, Medida Provisória 336 of 28 July 1993 (cruzeiro real)',
  },
  {
    currency: 'ZRZ',
    successor: 'ZRN',
    units: 3_000_000,
    from: '1993-11-01',
    reference: 'Banque du Zaïre, new zaire of 1 November 1993',
  },
  {
    currency: 'HRD',
    successor: 'HRK',
    units: 1000,
    from: '1994-05-30',
    reference: 'Croatian National Bank, introduction of the kuna of 30 May 1994',
  },
  {
    currency: 'BRR',
    successor: 'BRL',
    units: 2750,
    from: '1994-07-01',
    reference: 'Brasil, Lei 8.880 of 27 May 1994 and Medida Provisória 542 (real)',
  },
  {
    currency: 'PLZ',
    successor: 'PLN',
    units: 10_000,
    from: '1995-01-01',
    reference: 'Poland, Act of 7 July 1994 on the redenomination of the zloty',
  },
  {
    currency: 'AON',
    successor: 'AOR',
    units: 1000,
    from: '1995-07-01',
    reference: 'Banco Nacional de Angola, kwanza reajustado of 1 July 1995',
  },
  {
    currency: 'GEK',
    successor: 'GEL',
    units: 1_000_000,
    from: '1995-09-25',
    reference: 'National Bank of Georgia, introduction of the lari of 25 September 1995',
  },
  {
    currency: 'UAK',
    successor: 'UAH',
    units: 100_000,
    from: '1996-09-02',
    reference: 'Ukraine, Decree of the President No. 762/96 of 25 August 1996',
  },
  {
    currency: 'RUR',
    successor: 'RUB',
    units: 1000,
    from: '1998-01-01',
    reference: 'Russian Federation, Decree of the President No. 822 of 4 August 1997',
  },
  {
    currency: 'ZRN',
    successor: 'CDF',
    units: 100_000,
    from: '1998-07-01',
    reference: 'République démocratique du Congo, Décret-loi n° 080 of 17 June 1998',
  },
  {
    currency: 'BGL',
    successor: 'BGN',
    units: 1000,
    from: '1999-07-05',
    reference: 'Bulgaria, Law on the Redenomination of the Lev of 1999',
  },
  {
    currency: 'AOR',
    successor: 'AOA',
    units: 1_000_000,
    from: '1999-12-01',
    reference: 'Angola, Lei n.° 11/99 of 12 November 1999 (kwanza)',
  },
  {
    currency: 'BYB',
    successor: 'BYR',
    units: 1000,
    from: '2000-01-01',
    reference: 'National Bank of Belarus, denomination of the rouble of 1 January 2000',
  },
  {
    currency: 'TJR',
    successor: 'TJS',
    units: 1000,
    from: '2000-10-30',
    reference: 'National Bank of Tajikistan, introduction of the somoni of 30 October 2000',
  },
  {
    currency: 'AFA',
    successor: 'AFN',
    units: 1000,
    from: '2002-10-07',
    reference: 'Da Afghanistan Bank, new afghani of 7 October 2002',
  },
  {
    currency: 'MGF',
    successor: 'MGA',
    units: 5,
    from: '2003-07-31',
    reference: 'Madagascar, ariary as the only unit of account from 31 July 2003 (5 francs)',
  },
  {
    currency: 'SRG',
    successor: 'SRD',
    units: 1000,
    from: '2004-01-01',
    reference: 'Centrale Bank van Suriname, introduction of the dollar of 1 January 2004',
  },
  {
    currency: 'ZWD',
    successor: 'ZWN',
    units: 1000,
    from: '2006-08-01',
    reference: 'Reserve Bank of Zimbabwe, redenomination of 1 August 2006',
  },
  {
    currency: 'ZWN',
    successor: 'ZWR',
    units: 10_000_000_000,
    from: '2008-08-01',
    reference: 'Reserve Bank of Zimbabwe, redenomination of 1 August 2008',
  },
  {
    currency: 'ZWR',
    successor: 'ZWL',
    units: 1_000_000_000_000,
    from: '2009-02-02',
    reference: 'Reserve Bank of Zimbabwe, redenomination of 2 February 2009',
  },
];

/**
 * The relations of a currency. An alias of a code, under which releases before stored series, is at
 * par with the code.
 */
export function relationsOf(currency: string): RateRelation[] {
  const relations = RATE_RELATIONS.filter((relation) => relation.currency === currency);
  const reference = aliasReference(currency);
  if (reference === null) return relations;
  const anchor = isoCurrency(currency);
  return [...relations, { currency, anchor, units: 1, from: '1900-01-01', until: null, reference }];
}

/** The currencies whose rates those of a currency can be made of, itself included. */
export function sourcesOfRates(currency: string): string[] {
  const others = REDENOMINATIONS.flatMap((one) => {
    if (one.currency === currency) return one.successor;
    return one.successor === currency ? one.currency : [];
  });
  return [currency, ...relationsOf(currency).map(({ anchor }) => anchor), ...others];
}
