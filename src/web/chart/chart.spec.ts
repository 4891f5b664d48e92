import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { type Chart, chartSvg, NARROW, SMALL, WIDE } from './chart.js';
import { smallFigures } from './figure.js';
import { segmentsOf, thinned } from './segments.js';
import { calendarTicks, dateTicks, logTicks, valueTicks } from './ticks.js';

const day = (iso: string) => dayFromIso(iso)!;
const months = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ day: day('2000-01-01') + index * 30, value: value(index) }));

const chart = (change: Partial<Chart>): Chart => ({
  title: 'Rice',
  unit: 'KES per kg',
  note: 'Ministry, 2024-01-01',
  summary: 'Rice in Nairobi.',
  empty: 'No prices',
  gap: 31,
  lines: [],
  ...change,
});

describe('axes', () => {
  it('have round values around a range', () => {
    const labels = (low: number, high: number) => valueTicks(low, high).map(({ label }) => label);
    expect(labels(0, 97)).toEqual(['0', '20', '40', '60', '80', '100']);
    expect(labels(1180, 1320)).toEqual(['1,175', '1,200', '1,225', '1,250', '1,275', '1,300', '1,325']);
    expect(labels(0, 1_200_000)[1]).toBe('0.2M');
    expect(labels(0, 2e9)).toEqual(['0', '0.5B', '1.0B', '1.5B', '2.0B']);
    expect(labels(1e12, 3e12).at(-1)).toBe('3.0T');
    expect(labels(0.0012, 0.0019)).toEqual(['0.0012', '0.0014', '0.0016', '0.0018', '0.0020']);
    expect(labels(0, 1.3)).toEqual(['0.00', '0.25', '0.50', '0.75', '1.00', '1.25', '1.50']);
  });

  it('have room around one value, and some values where there are none', () => {
    for (const [low, high] of [
      [5, 5],
      [0, 0],
      [Infinity, -Infinity],
    ] as const) {
      const ticks = valueTicks(low, high);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.every(({ at }) => Number.isFinite(at))).toBe(true);
    }
    expect(valueTicks(5, 5)[0]!.at).toBeLessThan(5);
  });

  it('have days, months or years by the length of time', () => {
    const labels = (first: string, last: string, maxTicks: number, isMonthly = false) =>
      dateTicks(day(first), day(last), maxTicks, isMonthly).map(({ label }) => label);
    expect(labels('2024-02-27', '2024-03-04', 10)).toEqual([
      '02-27',
      '02-28',
      '02-29',
      '03-01',
      '03-02',
      '03-03',
      '03-04',
    ]);
    expect(labels('2024-02-01', '2024-04-01', 10, true)).toEqual(['2024-02', '2024-03', '2024-04']);
    expect(labels('2023-11-15', '2024-05-01', 6)).toEqual([
      '2023-12',
      '2024-01',
      '2024-02',
      '2024-03',
      '2024-04',
      '2024-05',
    ]);
    expect(labels('2001-05-01', '2024-05-01', 6)).toEqual(['2005', '2010', '2015', '2020']);
  });
});

describe('axes of other kinds', () => {
  it('have powers of ten where they are logarithmic', () => {
    const labels = (low: number, high: number) => logTicks(low, high).map(({ label }) => label);
    expect(labels(3, 450)).toEqual(['2', '5', '10', '20', '50', '100', '200', '500']);
    expect(labels(10, 10)).toEqual(['10', '20']);
    expect(labels(0.03, 0.4)).toEqual(['0.02', '0.05', '0.1', '0.2', '0.5']);
    expect(labels(2, 3_000_000)).toEqual(['1', '10', '100', '1,000', '10,000', '100,000', '1M', '10M']);
    expect(labels(3e-150, 4e-150)).toEqual(['2e-150', '5e-150']);
  });

  it('have the months of a year, every other one where there is little room', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr'];
    const labels = (columns: number) =>
      calendarTicks(day('2001-01-01'), names, columns).map(({ at, label }) => [at, label]);
    expect(labels(120)).toEqual(names.map((name, index) => [day(`2001-0${index + 1}-01`), name]));
    expect(labels(100).map(([, label]) => label)).toEqual(['Jan', 'Mar']);
  });

  it('leave room between the dates of a small chart', () => {
    for (const count of [2, 3, 4, 5, 6, 7, 40]) {
      const points = Array.from({ length: count }, (_, index) => ({
        day: day(`20${20 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`),
        value: index,
      }));
      const svg = chartSvg(chart({ lines: [{ name: 'a', points }] }), SMALL);
      const labels = [...svg.matchAll(/<text x="([0-9.]+)" y="210"[^>]*>([^<]*)</g)];
      expect(labels.length).toBeGreaterThan(0);
      const spans = labels.map(([, x, label]) => [
        Number(x) - label!.length * 3.3,
        Number(x) + label!.length * 3.3,
      ]);
      for (const [index, [begin, end]] of spans.entries()) {
        expect(begin! - (spans[index - 1]?.[1] ?? 0)).toBeGreaterThan(4);
        expect(end).toBeLessThanOrEqual(SMALL.width);
      }
    }
  });
});

describe('lines', () => {
  it('are divided where points are missing', () => {
    const points = [1, 2, 3, 10, 40, 41].map((each) => ({ day: each }));
    expect(segmentsOf(points, 7).map((segment) => segment.map((point) => point.day))).toEqual([
      [1, 2, 3, 10],
      [40, 41],
    ]);
    expect(segmentsOf([], 7)).toEqual([]);
  });

  it('keep every peak when they are thinned', () => {
    const points = Array.from({ length: 6000 }, (_, index) => ({
      day: index,
      value: index === 4321 ? 99 : index % 7,
    }));
    points[1234] = { day: 1234, value: -5 };
    const kept = thinned(points, (each) => Math.floor(each / 10));
    expect(kept.length).toBeLessThanOrEqual(2400);
    expect(kept).toContainEqual({ day: 4321, value: 99 });
    expect(kept).toContainEqual({ day: 1234, value: -5 });
    expect(kept[0]).toBe(points[0]);
    expect(kept.at(-1)).toBe(points.at(-1));
    expect(kept.map((point) => point.day)).toEqual(kept.map((point) => point.day).toSorted((a, b) => a - b));
  });

  it('leave nothing out where there is room', () => {
    const points = months(5, (index) => index);
    expect(thinned(points, (each) => each)).toEqual(points);
  });
});

describe('a chart', () => {
  it('of no points says so', () => {
    for (const scale of [{}, { scale: 'log' }] as const) {
      const svg = chartSvg(chart({ lines: [{ name: 'a', points: [] }], ...scale }), WIDE);
      expect(svg).toContain('>No prices</text>');
      expect(svg).not.toContain('NaN');
    }
  });

  it('of one point shows it', () => {
    const svg = chartSvg(chart({ lines: [{ name: 'a', points: months(1, () => 5) }] }), WIDE);
    expect(svg.match(/<circle class="line line0"/g)).toHaveLength(1);
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  it('draws a point between two gaps, and no line over gaps', () => {
    const points = months(9, (index) => index).filter((_, index) => index !== 3 && index !== 5);
    const svg = chartSvg(chart({ lines: [{ name: 'a', points }] }), WIDE);
    const path = /<path class="line line0" d="([^"]*)"/.exec(svg)![1]!;
    expect(path.match(/M/g)).toHaveLength(2);
    expect(svg.match(/<circle class="line line0"/g)).toHaveLength(1);
  });

  it('dashes what is forecast, from the last observed point on, and says so', () => {
    const points = months(4, (index) => index + 1);
    const forecast = { from: points[2]!.day, label: 'Forecast' };
    const svg = chartSvg(chart({ lines: [{ name: 'Price', points, forecast }] }), WIDE);
    const paths = Array.from(svg.matchAll(/<path class="line line0" d="([^"]*)"[^>]*>/g));
    expect(
      paths.map(([path, d]) => [d!.match(/[ML]/g)!.join(''), path.includes('stroke-dasharray')]),
    ).toEqual([
      ['ML', false],
      ['MLL', true],
    ]);
    expect(paths[1]![1]!.split('L')[0]!.slice(1)).toBe(paths[0]![1]!.split('L')[1]);
    expect(svg).toContain('>Forecast</text>');
    const only = chartSvg(
      chart({ lines: [{ name: 'Price', points, forecast: { ...forecast, from: points[0]!.day } }] }),
      WIDE,
    );
    expect(only.match(/class="line line0" d="[^"]*"/g)).toHaveLength(1);
  });

  it('has title, unit, source, and what each line is, escaped', () => {
    const hostile = '<script>"&\'';
    const svg = chartSvg(
      chart({
        title: hostile,
        unit: hostile,
        note: hostile,
        summary: hostile,
        lines: [hostile, 'أرز'].map((name) => ({ name, points: months(3, (index) => index) })),
        band: {
          name: hostile,
          points: months(3, (index) => index).map(({ day: at }) => ({ day: at, low: 1, high: 2 })),
        },
        marks: [{ kind: 'finding', day: day('2000-01-01'), value: 1, label: hostile }],
        levels: [{ at: 2, label: hostile }],
      }),
      WIDE,
    );
    expect(svg).not.toContain('<script>');
    expect(svg.match(/&lt;script&gt;&quot;&amp;&#39;/g)).toHaveLength(9);
    expect(svg).toContain('أرز');
    expect(svg).not.toMatch(/\sstyle=|<style/);
  });

  it('has as many rows of names as it needs, and is so much higher', () => {
    const lines = Array.from({ length: 8 }, (_, index) => ({
      name: `Kenya · Nairobi · Maize ${index}`,
      points: months(3, (at) => at + index),
    }));
    const svg = chartSvg(chart({ lines }), WIDE, 'first');
    expect(svg).toContain('viewBox="0 0 880 400"');
    for (const { name } of lines) expect(svg).toContain(`>${name}</text>`);
    expect(svg).toContain('aria-labelledby="first-title first-summary"');
    // Beside the ends of lines where there is room, above them where there is none.
    expect(svg.match(/<text x="\d+"[^>]*>Kenya/g)).toHaveLength(8);
    expect(chartSvg(chart({ lines }), NARROW)).toContain(`viewBox="0 0 360 ${320 + 8 * 18 + 4}"`);
  });

  it('has the same days as another one, and a logarithmic scale above 0 alone', () => {
    const range = [day('1999-01-01'), day('2003-01-01')] as const;
    const points = [1, 10, 100].map((value, index) => ({ day: day(`200${index}-01-01`), value }));
    const path = (change: Partial<Chart>) =>
      /<path class="line line0" d="([^"]*)"/.exec(chartSvg(chart({ gap: 400, range, ...change }), WIDE))![1];
    expect(path({ lines: [{ name: 'a', points }], scale: 'log' })).toBe('M255.9 352L456.3 201L656.1 50');
    const negative = [...points, { day: day('2003-01-01'), value: -1 }];
    const lines = [{ name: 'a', points: negative }];
    expect(path({ lines, scale: 'log' })).toBe(path({ lines }));
  });

  it('has what its levels are in the legend, where no line crosses it', () => {
    const lines = [{ name: 'a', points: months(3, (index) => index) }];
    const svg = chartSvg(chart({ lines, levels: [{ at: 1.5, label: 'alert' }] }), WIDE);
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)];
    const named = texts.filter(([, , , content]) => ['a', '1.5: alert'].includes(content!));
    expect(named.map(([, ...each]) => each)).toEqual([
      ['30', '44', 'a'],
      ['76.6', '44', '1.5: alert'],
    ]);
    expect(svg.match(/<line class="level"[^>]*>/g)).toEqual([
      '<line class="level" stroke="#57606a" stroke-dasharray="4 3" x1="54.6" x2="70.6" y1="40" y2="40"/>',
      '<line class="level" stroke="#57606a" stroke-dasharray="4 3" x1="56" x2="856" y1="147.5" y2="147.5"/>',
    ]);
  });

  it('has title and note in two rows where they are long, and is so much higher', () => {
    const lines = [{ name: 'a', points: months(3, (index) => index) }];
    const title = 'A long title of a series with many words, of a market and of a country';
    const note = 'Source: a ministry with a name that is long, to 2024-01-01. Revision 12345.';
    const svg = chartSvg(chart({ lines, title, note }), NARROW);
    expect(svg).toContain(`viewBox="0 0 360 ${320 + 18 + 14}"`);
    const texts = [...svg.matchAll(/<text x="8" y="(\d+)"[^>]*>([^<]*)</g)].map(([, ...each]) => each);
    expect(texts).toEqual([
      ['18', 'A long title of a series with many words,'],
      ['36', 'of a market and of a country'],
      ['56', 'KES per kg'],
      ['328', 'Source: a ministry with a name that is long, to'],
      ['342', '2024-01-01. Revision 12345.'],
    ]);
    expect(/<line class="grid" stroke="#d5dae0" x1="56" x2="336" y1="(\d+)"/.exec(svg)![1]).toBe(
      String(320 + 18 - 48),
    );
  });

  it('names lines at their ends, none over another, and leads to them', () => {
    const lines = [50, 51, 10].map((last, index) => ({
      name: `Market ${index}`,
      points: months(3, (at) => (at === 2 ? last : 20)),
    }));
    lines.push({ name: 'A name that is too long to stand beside its line', points: months(2, () => 30) });
    lines.push({ name: 'Nothing', points: [] });
    const svg = chartSvg(chart({ lines }), WIDE);
    const at = (name: string) => new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)">${name}`).exec(svg)!.slice(1);
    const [left, ...rest] = ['Market 0', 'Market 1', 'Market 2'].map((name) => at(name).map(Number));
    expect(rest.map(([x]) => x)).toEqual([left![0], left![0]]);
    // The second line ends above the first one.
    expect(left![1]! - rest[0]![1]!).toBeCloseTo(14, 0);
    expect(rest[1]![1]! - left![1]!).toBeGreaterThan(100);
    expect([at('A name'), at('Nothing')].map(([x]) => x)).toEqual(['30', '386.8']);
    expect(chartSvg(chart({ lines, names: 'legend' }), WIDE)).toContain('<text x="30" y="44">Market 0');
  });

  it('marks values that would hide all others at its edge, with their number', () => {
    const points = months(24, (index) => (index === 10 ? 40_000 : 20 + index));
    const svg = chartSvg(chart({ lines: [{ name: 'a', points }] }), WIDE);
    expect(svg.match(/<path class="edge edge0"/g)).toHaveLength(1);
    expect(svg).toMatch(/<text [^>]*>40,000<\/text>/);
    // The axis ends with what is left, at which the line is drawn.
    expect([...svg.matchAll(/text-anchor="end"[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      '0',
      '10',
      '20',
      '30',
      '40',
      '50',
    ]);
    expect(/<path class="line line0" d="([^"]*)"/.exec(svg)![1]).toContain(' 50L');
    const log = chartSvg(chart({ lines: [{ name: 'a', points }], scale: 'log' }), WIDE);
    expect(log).not.toContain('class="edge');
  });

  it('marks values beyond limits of its own', () => {
    const points = [-1, -9, 2, 7, 8, 1].map((value, index) => ({ day: index * 30, value }));
    const svg = chartSvg(chart({ lines: [{ name: 'a', points }], limits: [-6, 6] }), WIDE);
    expect(svg.match(/<path class="edge edge0"/g)).toHaveLength(3);
    const labels = [...svg.matchAll(/font-size="11">([^<]*)/g)].map(([, label]) => label);
    expect(labels).toEqual(['7', '8', '-9', 'Ministry, 2024-01-01']);
    expect(svg).toContain('>-6</text>');
  });

  it('is drawn for a dark ground as a file, with whose it is', () => {
    const lines = [{ name: 'a', points: months(3, (index) => index) }];
    const imprint = ['Licence: CC BY', `https://example.org/${'x'.repeat(70)}`];
    const svg = chartSvg(chart({ lines }), NARROW, 'file', { theme: 'dark', imprint });
    expect(svg).toContain('<rect class="ground" width="360" height="362" fill="#14181d"/>');
    const below = [...svg.matchAll(/<text x="8" y="(\d+)"[^>]*font-size="11">([^<]*)/g)];
    expect(below.map(([, ...each]) => each)).toEqual([
      ['310', 'Ministry, 2024-01-01'],
      ['324', 'Licence: CC BY'],
      ['338', `https://example.org/${'x'.repeat(36)}`],
      ['352', 'x'.repeat(34)],
    ]);
  });

  it('cuts what is longer than two rows', () => {
    const title = Array.from({ length: 30 }, () => 'word').join(' ');
    expect(chartSvg(chart({ title }), NARROW)).toContain(`>${'word '.repeat(8)}…</text>`);
    const word = chartSvg(chart({ title: 'w'.repeat(90) }), NARROW);
    expect(word).toMatch(new RegExp(`>w{41}</text>.*>w{40}…</text>`));
  });
});

describe('charts beside each other', () => {
  const small = (values: readonly number[], unit: string, from = 0) => ({
    chart: chart({
      unit,
      lines: [{ name: 'a', points: values.map((value, index) => ({ day: from + index * 30, value })) }],
    }),
    id: `id${from}`,
    caption: null,
  });
  const labels = (text: string) =>
    text
      .split('<svg ')
      .slice(1)
      .map((svg) =>
        [...svg.matchAll(/text-anchor="(end|middle)"[^>]*>([^<]*)/g)].map(([, , label]) => label),
      );

  it('have the same axes where their unit is one', () => {
    const { text } = smallFigures([small([50, 60], 'KES'), small([80, 90], 'KES', 400)], 'Source: Ministry.');
    const [one, other] = labels(text);
    expect(one).toEqual(other);
    expect(one!.slice(0, 2)).toEqual(['50', '60']);
    expect(text).toContain('<p class="muted">All charts have the same axes. Source: Ministry.</p>');
    expect(text).not.toContain('2024-01-01');
  });

  it('begin at 0 where it is not, and say that they differ', () => {
    const { text } = smallFigures([small([50, 60], 'KES'), small([900, 990], 'UGX', 400)], 'Revision 1.');
    const [one, other] = labels(text);
    expect([one![0], other![0]]).toEqual(['0', '0']);
    expect(one!.slice(-3)).toEqual(other!.slice(-3));
    expect(text).toContain(
      'Each chart has values of its own, all from 0; all have the same dates. Revision 1.',
    );
  });

  it('say nothing of others where there is one', () => {
    expect(smallFigures([small([50, 60], 'KES')], 'Revision 1.').text).toContain(
      '<p class="muted">Revision 1.</p>',
    );
  });
});
