import { isolateNames } from './direction.js';

/** With marks that can be seen. */
const shown = (label: string) => isolateNames(label).replaceAll('\u2068', '[').replaceAll('\u2069', ']');

describe('labels with names that are written from right to left', () => {
  it.each([
    ['Rice, صنعاء, اليمن (retail)', 'Rice, [صنعاء], [اليمن] (retail)'],
    ['Rice, سوق الملح (صنعاء), اليمن (retail)', 'Rice, [سوق الملح (صنعاء)], [اليمن] (retail)'],
    ['Rice, سوق 2 (retail): by month', 'Rice, [سوق 2] (retail): by month'],
    ['YER per كيس 50 kg', '[YER per كيس 50 kg]'],
    ['1 · اليمن · عدن · أرز أبيض', '1 · [اليمن] · [عدن] · [أرز أبيض]'],
    ['Source: وزارة التخطيط, to 2024-01-15.', 'Source: [وزارة التخطيط], to 2024-01-15.'],
    ['Source: وزارة.', 'Source: [وزارة].'],
    ['Source: وزارة. Revision 5.', 'Source: [وزارة]. Revision 5.'],
    ['د. أحمد, Revision 5.', '[د. أحمد], Revision 5.'],
    ['Rice, Grand marché (retail)', 'Rice, Grand marché (retail)'],
    ['', ''],
    ['أرز أبيض, سوق الملح (صنعاء),', '[أرز أبيض], [سوق الملح (صنعاء)],'],
    ['1 · اليمن · عدن ·', '1 · [اليمن] · [عدن] ·'],
    ['· عدن · أرز ÷', '· [عدن] · [أرز] ÷'],
    ['(صنعاء), اليمن (retail)', '[(صنعاء)], [اليمن] (retail)'],
  ])('%j isolate each', (label, expected) => expect(shown(label)).toBe(expected));
});
