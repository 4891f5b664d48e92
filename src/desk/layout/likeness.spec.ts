import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { type DaySpan, likenessNotes } from './likeness.js';

const span = (from: string, to: string): DaySpan => ({ start: dayFromIso(from)!, end: dayFromIso(to)! });
const plain = (html: { toString(): string }) =>
  html
    .toString()
    .replace(/<[^>]+>/g, '')
    .trim();
const notes = (...spans: [DaySpan | null, DaySpan | null]) => plain(likenessNotes({ places: null, spans }));
const at = (longitude: number) => ({ latitude: 0, longitude });

describe('the likeness of two records', () => {
  it('says of which time the prices of each are, and both', () => {
    const old = span('2015-01-01', '2020-03-01');
    expect(notes(old, span('2020-03-31', '2021-01-01'))).toBe(
      'This one has prices of January 2015 to March 2020, the other one of March 2020 to January 2021.' +
        ' They have no prices of the same time.',
    );
    expect(notes(span('2020-03-01', '2020-03-01'), old)).toBe(
      'This one has prices of March 2020, the other one of January 2015 to March 2020. Both have prices of March 2020.',
    );
    expect([notes(null, old), notes(old, null)]).toEqual(
      Array(2).fill('One of them has prices, of January 2015 to March 2020; the other one has none.'),
    );
    expect(notes(null, null)).toBe('Neither has prices.');
  });

  it('warns above 10 km', () => {
    // A degree of longitude at the equator has 111.195 km.
    const [below, above] = [9.9, 10.1].map((km) =>
      likenessNotes({ places: [at(0), at(km / 111.195)], spans: null }).toString(),
    );
    expect([below!.includes('role="alert"'), plain(below!)]).toEqual([false, 'They are 9.9 km apart.']);
    expect([above!.includes('role="alert"'), plain(above!)]).toEqual([
      true,
      'They are 10.1 km apart. Markets that far from each other are hardly one, unless one of the positions is wrong.',
    ]);
  });
});
