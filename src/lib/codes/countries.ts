/** A country or territory of ISO 3166-1. */
export interface Country {
  /** ISO 3166-1 alpha-3. */
  readonly iso3: string;
  /** The United Nations' M49 number, three digits; the same as the numeric code of ISO 3166-1. */
  readonly m49: string;
  /** The English short name, in the word order of the United Nations' list. */
  readonly name: string;
}

/*
 * ISO 3166-1, one entry per line: alpha-3, number, English short name. Names are ISO's without the
 * article. Where ISO inverts the words ("Tanzania, the United Republic of"), they are in the order
 * of the United Nations' list, as FAO writes them.
 */
const TABLE = `
ABW 533 Aruba
AFG 004 Afghanistan
AGO 024 Angola
AIA 660 Anguilla
ALA 248 Åland Islands
ALB 008 Albania
AND 020 Andorra
ARE 784 United Arab Emirates
ARG 032 Argentina
ARM 051 Armenia
ASM 016 American Samoa
ATA 010 Antarctica
ATF 260 French Southern Territories
ATG 028 Antigua and Barbuda
AUS 036 Australia
AUT 040 Austria
AZE 031 Azerbaijan
BDI 108 Burundi
BEL 056 Belgium
BEN 204 Benin
BES 535 Bonaire, Sint Eustatius and Saba
BFA 854 Burkina Faso
BGD 050 Bangladesh
BGR 100 Bulgaria
BHR 048 Bahrain
BHS 044 Bahamas
BIH 070 Bosnia and Herzegovina
BLM 652 Saint Barthélemy
BLR 112 Belarus
BLZ 084 Belize
BMU 060 Bermuda
BOL 068 Bolivia (Plurinational State of)
BRA 076 Brazil
BRB 052 Barbados
BRN 096 Brunei Darussalam
BTN 064 Bhutan
BVT 074 Bouvet Island
BWA 072 Botswana
CAF 140 Central African Republic
CAN 124 Canada
CCK 166 Cocos (Keeling) Islands
CHE 756 Switzerland
CHL 152 Chile
CHN 156 China
CIV 384 Côte d'Ivoire
CMR 120 Cameroon
COD 180 Democratic Republic of the Congo
COG 178 Congo
COK 184 Cook Islands
COL 170 Colombia
COM 174 Comoros
CPV 132 Cabo Verde
CRI 188 Costa Rica
CUB 192 Cuba
CUW 531 Curaçao
CXR 162 Christmas Island
CYM 136 Cayman Islands
CYP 196 Cyprus
CZE 203 Czechia
DEU 276 Germany
DJI 262 Djibouti
DMA 212 Dominica
DNK 208 Denmark
DOM 214 Dominican Republic
DZA 012 Algeria
ECU 218 Ecuador
EGY 818 Egypt
ERI 232 Eritrea
ESH 732 Western Sahara
ESP 724 Spain
EST 233 Estonia
ETH 231 Ethiopia
FIN 246 Finland
FJI 242 Fiji
FLK 238 Falkland Islands (Malvinas)
FRA 250 France
FRO 234 Faroe Islands
FSM 583 Micronesia (Federated States of)
GAB 266 Gabon
GBR 826 United Kingdom of Great Britain and Northern Ireland
GEO 268 Georgia
GGY 831 Guernsey
GHA 288 Ghana
GIB 292 Gibraltar
GIN 324 Guinea
GLP 312 Guadeloupe
GMB 270 Gambia
GNB 624 Guinea-Bissau
GNQ 226 Equatorial Guinea
GRC 300 Greece
GRD 308 Grenada
GRL 304 Greenland
GTM 320 Guatemala
GUF 254 French Guiana
GUM 316 Guam
GUY 328 Guyana
HKG 344 Hong Kong
HMD 334 Heard Island and McDonald Islands
HND 340 Honduras
HRV 191 Croatia
HTI 332 Haiti
HUN 348 Hungary
IDN 360 Indonesia
IMN 833 Isle of Man
IND 356 India
IOT 086 British Indian Ocean Territory
IRL 372 Ireland
IRN 364 Iran (Islamic Republic of)
IRQ 368 Iraq
ISL 352 Iceland
ISR 376 Israel
ITA 380 Italy
JAM 388 Jamaica
JEY 832 Jersey
JOR 400 Jordan
JPN 392 Japan
KAZ 398 Kazakhstan
KEN 404 Kenya
KGZ 417 Kyrgyzstan
KHM 116 Cambodia
KIR 296 Kiribati
KNA 659 Saint Kitts and Nevis
KOR 410 Republic of Korea
KWT 414 Kuwait
LAO 418 Lao People's Democratic Republic
LBN 422 Lebanon
LBR 430 Liberia
LBY 434 Libya
LCA 662 Saint Lucia
LIE 438 Liechtenstein
LKA 144 Sri Lanka
LSO 426 Lesotho
LTU 440 Lithuania
LUX 442 Luxembourg
LVA 428 Latvia
MAC 446 Macao
MAF 663 Saint Martin (French part)
MAR 504 Morocco
MCO 492 Monaco
MDA 498 Republic of Moldova
MDG 450 Madagascar
MDV 462 Maldives
MEX 484 Mexico
MHL 584 Marshall Islands
MKD 807 North Macedonia
MLI 466 Mali
MLT 470 Malta
MMR 104 Myanmar
MNE 499 Montenegro
MNG 496 Mongolia
MNP 580 Northern Mariana Islands
MOZ 508 Mozambique
MRT 478 Mauritania
MSR 500 Montserrat
MTQ 474 Martinique
MUS 480 Mauritius
MWI 454 Malawi
MYS 458 Malaysia
MYT 175 Mayotte
NAM 516 Namibia
NCL 540 New Caledonia
NER 562 Niger
NFK 574 Norfolk Island
NGA 566 Nigeria
NIC 558 Nicaragua
NIU 570 Niue
NLD 528 Netherlands (Kingdom of the)
NOR 578 Norway
NPL 524 Nepal
NRU 520 Nauru
NZL 554 New Zealand
OMN 512 Oman
PAK 586 Pakistan
PAN 591 Panama
PCN 612 Pitcairn
PER 604 Peru
PHL 608 Philippines
PLW 585 Palau
PNG 598 Papua New Guinea
POL 616 Poland
PRI 630 Puerto Rico
PRK 408 Democratic People's Republic of Korea
PRT 620 Portugal
PRY 600 Paraguay
PSE 275 State of Palestine
PYF 258 French Polynesia
QAT 634 Qatar
REU 638 Réunion
ROU 642 Romania
RUS 643 Russian Federation
RWA 646 Rwanda
SAU 682 Saudi Arabia
SDN 729 Sudan
SEN 686 Senegal
SGP 702 Singapore
SGS 239 South Georgia and the South Sandwich Islands
SHN 654 Saint Helena, Ascension and Tristan da Cunha
SJM 744 Svalbard and Jan Mayen
SLB 090 Solomon Islands
SLE 694 Sierra Leone
SLV 222 El Salvador
SMR 674 San Marino
SOM 706 Somalia
SPM 666 Saint Pierre and Miquelon
SRB 688 Serbia
SSD 728 South Sudan
STP 678 Sao Tome and Principe
SUR 740 Suriname
SVK 703 Slovakia
SVN 705 Slovenia
SWE 752 Sweden
SWZ 748 Eswatini
SXM 534 Sint Maarten (Dutch part)
SYC 690 Seychelles
SYR 760 Syrian Arab Republic
TCA 796 Turks and Caicos Islands
TCD 148 Chad
TGO 768 Togo
THA 764 Thailand
TJK 762 Tajikistan
TKL 772 Tokelau
TKM 795 Turkmenistan
TLS 626 Timor-Leste
TON 776 Tonga
TTO 780 Trinidad and Tobago
TUN 788 Tunisia
TUR 792 Türkiye
TUV 798 Tuvalu
TWN 158 Taiwan (Province of China)
TZA 834 United Republic of Tanzania
UGA 800 Uganda
UKR 804 Ukraine
UMI 581 United States Minor Outlying Islands
URY 858 Uruguay
USA 840 United States of America
UZB 860 Uzbekistan
VAT 336 Holy See
VCT 670 Saint Vincent and the Grenadines
VEN 862 Venezuela (Bolivarian Republic of)
VGB 092 British Virgin Islands
VIR 850 United States Virgin Islands
VNM 704 Viet Nam
VUT 548 Vanuatu
WLF 876 Wallis and Futuna
WSM 882 Samoa
YEM 887 Yemen
ZAF 710 South Africa
ZMB 894 Zambia
ZWE 716 Zimbabwe
`;

/**
 * Other names that published data use for a country: former ISO names, and those of the boundary
 * data (GAUL) of WFP's older files. Compared without case, accents and punctuation.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  Bolivia: 'BOL',
  'British Virgin Islands': 'VGB',
  Burma: 'MMR',
  'Cape Verde': 'CPV',
  'China, Hong Kong SAR': 'HKG',
  'China, Macao SAR': 'MAC',
  'China, mainland': 'CHN',
  'Congo, Democratic Republic of the': 'COD',
  'Czech Republic': 'CZE',
  'Gaza Strip': 'PSE',
  'Ivory Coast': 'CIV',
  Iran: 'IRN',
  Korea: 'KOR',
  'Lao PDR': 'LAO',
  Laos: 'LAO',
  'Libyan Arab Jamahiriya': 'LBY',
  Macedonia: 'MKD',
  Micronesia: 'FSM',
  Moldova: 'MDA',
  'Moldova, Republic of': 'MDA',
  Netherlands: 'NLD',
  Palestine: 'PSE',
  'Palestinian Territory': 'PSE',
  Russia: 'RUS',
  'South Korea': 'KOR',
  Swaziland: 'SWZ',
  Syria: 'SYR',
  Taiwan: 'TWN',
  Tanzania: 'TZA',
  'The former Yugoslav Republic of Macedonia': 'MKD',
  'Timor Leste': 'TLS',
  Turkey: 'TUR',
  'United Kingdom': 'GBR',
  'United States': 'USA',
  Venezuela: 'VEN',
  Vietnam: 'VNM',
  'West Bank': 'PSE',
};

/** All countries and territories of ISO 3166-1, by alpha-3 code. */
export const countries: readonly Country[] = TABLE.trim()
  .split('\n')
  .map((line) => ({ iso3: line.slice(0, 3), m49: line.slice(4, 7), name: line.slice(8) }));

const byIso3 = new Map(countries.map((country) => [country.iso3, country]));
const byM49 = new Map(countries.map((country) => [country.m49, country]));
const byName = new Map([
  ...countries.map((country) => [foldName(country.name), country.iso3] as const),
  ...Object.entries(OTHER_NAMES).map(([name, iso3]) => [foldName(name), iso3] as const),
]);

/**
 * The English name of a country, or '' for a code outside ISO 3166-1 (`IPS`).
 */
export function countryName(iso3: string): string {
  return byIso3.get(iso3)?.name ?? '';
}

/** Whether an alpha-3 code, in upper case, is in ISO 3166-1. */
export function isCountryCode(iso3: string): boolean {
  return byIso3.has(iso3);
}

/** Alpha-3 code of an M49 number such as `004`; null for regions and former countries. */
export function iso3OfM49(m49: string): string | null {
  return byM49.get(m49.padStart(3, '0'))?.iso3 ?? null;
}

/** Alpha-3 code of a country's English name, in any of the spellings above, or null. */
export function iso3OfName(name: string): string | null {
  return byName.get(foldName(name)) ?? null;
}

function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .replace(/^the /, '')
    .trim();
}
