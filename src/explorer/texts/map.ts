const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;

/** What maps say. */
export const mapTexts = {
  skip: 'Skip the map',
  share: (from: number, below: number): string =>
    below >= 1
      ? `${percent(from)} or more`
      : from === 0
        ? `below ${percent(below)}`
        : `${percent(from)} to ${percent(below)}`,
  unrated: 'too few ratings, or old prices',
  land: 'no prices',
  borders: 'Borders and names imply no opinion about any country or territory.',
  unit: 'Share of rated series whose newest price is high by IFPA or ALPS',
  monthUnit: 'Share of fresh series whose price is high by IFPA, or alert or crisis by ALPS: the larger one',
  note: (date: string | null, revision: number | undefined): string =>
    [
      'Calculated from the prices of all sources',
      date === null ? '.' : `, to ${date}.`,
      revision === undefined ? '' : ` Revision ${revision}.`,
    ].join(''),
  high: (name: string, high: string, rated: string, share: string, date: string): string =>
    `${name}: ${high} of ${rated} rated series high (${share}), newest price ${date}`,
  notRated: (name: string, date: string): string => `${name}: not rated, newest price ${date}`,
  calculating: (name: string, date: string): string => `${name}: being calculated, newest price ${date}`,
  month: (name: string, month: string, fresh: string, shares: string): string =>
    `${name}, ${month}: ${fresh} fresh series, ${shares}`,
  shares: (high: string | null, alert: string | null): string =>
    [
      high === null ? null : `${high} high by IFPA`,
      alert === null ? null : `${alert} alert or crisis by ALPS`,
    ]
      .filter((each) => each !== null)
      .join(', ') || 'not rated',
};
