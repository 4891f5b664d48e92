import type { ReleaseRecord } from '../../releases/release-record.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';

const words = texts.releases;

/** Releases that are named. */
const MAX_NAMED = 3;

/** What the releases of a page may have in common, and so is not said of each. */
interface Common {
  /** Its only country, where it has one. */
  readonly iso3?: string;
}

/**
 * When the next prices of a page are expected: the next releases to come, or the one that is least
 * late where all are. Null where nothing is expected.
 */
export function nextReleases(releases: readonly ReleaseRecord[], { iso3 }: Common): Html | null {
  const expected = releases
    .filter(({ next_expected: date }) => date !== null)
    .sort((one, other) => (one.next_expected! < other.next_expected! ? -1 : 1));
  const [late] = expected.slice(-1);
  if (late === undefined) return null;
  const what = ({ periodicity, source, country_name: country }: ReleaseRecord) =>
    [...(iso3 === undefined ? [country] : []), words.period[periodicity], source].join(', ');
  const coming = expected.filter(({ days_late: days }) => days === 0).slice(0, MAX_NAMED);
  const sentence =
    coming.length > 0
      ? words.expectedNext(
          coming.map((release) => words.item(release.next_expected!, what(release))).join('; '),
        )
      : words.overdue(late.next_expected!, what(late), wholeNumber(late.days_late!), late.days_late === 1);
  const address = addressOf('/releases', { iso3_country_codes: iso3 });
  return html`<p class="muted">${nameOf(sentence)} <a href="${address}">${words.link}</a></p>`;
}
