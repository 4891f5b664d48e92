import { moneyOfHeader } from '../values/money.js';
import { foldWords, isStatisticAlone, priceTypesIn } from './words.js';

const PRICE_WORDS = new Set(
  (
    'price prices prix precio precios preco precos cena valor value valeur cost cout costo cotacion cotacao tarif rate' +
    ' harga fiyat fiyati fiyatlari цена цены стоимость سعر السعر اسعار الاسعار'
  ).split(' '),
);

/** Words that are written together with that of prices: `preciopromedio`, `enyuksekfiyat`. */
const JOINED = /^(?:precio|preco|prix|harga)\p{L}+$|^\p{L}+(?:price|preis|preise|fiyati?)$/u;

const isPriceWord = (word: string): boolean => PRICE_WORDS.has(word) || JOINED.test(word);

/** Whether a header is that of prices, or of money. */
export const isPriceHeader = (header: string): boolean =>
  foldWords(header).split(' ').some(isPriceWord) || moneyOfHeader(header)?.begin === '';

/** Whether a header says that it has prices, and nothing of which product or market. */
export function isPriceAlone(header: string): boolean {
  const words = foldWords(header.replace(/[([].*?[)\]]/g, ' ')).split(' ');
  const others = words.filter((word) => !isPriceWord(word));
  return (
    others.length < words.length &&
    others.every((word) => isStatisticAlone(word) || priceTypesIn(word).length > 0 || /^[a-z]$/.test(word))
  );
}
