/** The page of releases, and what other pages say of them. */
export const releasesTexts = {
  title: 'When prices come',
  description:
    'When each source has published its newest prices here, by country and frequency, and when the next ones are to be expected.',
  how: 'Expected is the end of the next period and the median time that the last 12 releases have taken after the end of theirs. With fewer than three releases nothing is expected. Late is counted in days from then.',
  source: 'Source',
  newest: 'Newest values until',
  stored: 'Here since',
  next: 'Next ones until',
  expected: 'Expected on',
  late: 'Days late',
  usual: 'Median days after its end',
  nine: 'Nine of ten within (days)',
  tooFew: (releases: number): string =>
    releases === 0 ? 'no release yet' : `${releases} ${releases === 1 ? 'release' : 'releases'} so far`,
  none: 'There are no prices yet.',
  note: 'A dash says that it is not known.',
  lateFirst: 'Most late first',
  byCountry: 'By country',
  order: 'Order',
  calendar: 'As a calendar to subscribe to',
  link: 'When prices come',
  period: { daily: 'daily', weekly: 'weekly', monthly: 'monthly' },
  expectedNext: (items: string): string => `Next prices expected: ${items}.`,
  item: (date: string, what: string): string => `${date} (${what})`,
  overdue: (date: string, what: string, days: string, isOne: boolean): string =>
    `Prices expected on ${date} (${what}) are ${days} ${isOne ? 'day' : 'days'} late.`,
};
