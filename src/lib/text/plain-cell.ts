/** Signs that are not seen: soft hyphens, blanks without width, marks of direction and order. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

const BLANKS = /[\u00a0\u2002\u2003\u2007\u2009\u202f]/g;

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ rsquo: '’', lsquo: '‘', ndash: '–', mdash: '—', deg: '°', ordm: 'º', ordf: 'ª', szlig: 'ß' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', hellip: '…', frac12: '½', frac14: '¼', times: '×' },
};
/** Letters with a sign, such as `&eacute;`, by the sign that is combined with them. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303' },
  ...{ cedil: '\u0327', ring: '\u030a' },
};
const ENTITY =
  /&(?:#(\d{1,6})|#[xX]([\da-fA-F]{1,5})|([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring)|(\w{2,8}));/g;

/**
 * The text of a cell without unseen signs, with the characters that references of HTML stand for,
 * and with plain blanks for narrow and unbreakable ones.
 */
export function plainCell(cell: string): string {
  if (!/[&\u00a0\u00ad\u2002-\u200f\u202f\u2060\ufeff]/.test(cell)) return cell;
  return cell
    .replace(
      ENTITY,
      (written, decimal?: string, hex?: string, letter?: string, sign?: string, name?: string) => {
        const code = decimal === undefined ? (hex === undefined ? null : parseInt(hex, 16)) : Number(decimal);
        if (code !== null) return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : written;
        if (letter !== undefined) return (letter + SIGNS[sign!]!).normalize('NFC');
        return Object.hasOwn(NAMED, name!) ? NAMED[name!]! : written;
      },
    )
    .replace(UNSEEN, '')
    .replace(BLANKS, ' ');
}
