import { decodeWindows1252, textBeforeDecoding } from './windows-1252.js';

describe('Windows-1252', () => {
  it.each(['Côte', 'São Tomé', 'Abéché', 'ÀÉÎÕÜ', 'Ñuñoa', 'N° 5', 'crème brûlée'])(
    'tells %j from what its UTF-8 is in it',
    (text) => {
      const wrong = decodeWindows1252(Buffer.from(text));
      expect(wrong).not.toBe(text);
      expect(textBeforeDecoding(wrong)).toBe(text);
      expect(textBeforeDecoding(`Marché ${wrong}`)).toBe(`Marché ${text}`);
      expect(textBeforeDecoding(text)).toBeNull();
    },
  );

  it.each(['', 'Maize', 'SÃO JOÃO', '“AMANHÃ”', 'AMANHû, “CAFÉ”', 'Âge', '10 €', 'Łódź', 'Москва', 'ບາດ'])(
    'takes %j as it is',
    (text) => expect(textBeforeDecoding(text)).toBeNull(),
  );
});
