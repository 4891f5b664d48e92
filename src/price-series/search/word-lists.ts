import { plainWords } from '../../lib/text/folding.js';

/*
 * Words of people who search, beside the names in the data. Both lists are short on purpose: they
 * are for questions, and for food that is sold nearly everywhere, in the languages of most who ask.
 */

/** Words of questions that tell nothing of what is looked for, as `plainWords` has them. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  plainWords(`
    how much many what whats which is are was were be do does did cost costs price prices pricing
    of for in at on the a an and or per to from by with me show find today now current currently
    latest kilo kg market markets food foods has have had where when why about since last this year
    years month months week weeks rise rises rising risen rose fall falls falling fallen fell increase
    increased increasing decrease decreased higher lower up down cheap cheapest expensive trend trends
    history data statistics average inflation my our town
    january february march april may june july august september october november december
    combien coûte coûtent coût quel quelle quels quelles est sont était prix du de des d le la les l
    un une au aux en dans à et ou pour par sur marché marchés aujourd hui actuel
    augmenté augmentation hausse baisse cher moyen moins plus
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    cuánto cuesta cuestan vale valen cuál cuáles es son era precio precios del el los las una unos
    unas al y o para por hoy actual mercado mercados
    subido subió aumento bajado inflación enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre
    quanto custa custam qual quais é são preço preços do da dos das os as um uma no na nos nas em ao
    hoje aumentou subiu inflação janeiro fevereiro março maio junho julho setembro outubro novembro
    dezembro
    سعر أسعار السعر الأسعار كم ثمن في من هو هي ما
  `),
);

const YEAR = /^(?:19|20)\d\d$/;

/** Whether a word tells nothing of what is looked for; prices of all years are found. */
export const isLeftOut = (word: string): boolean => LEFT_OUT.has(word) || YEAR.test(word);

/** Words for food by the words that names in the data have, the commonest first. */
const FOOD: Readonly<Record<string, string>> = {
  maize: 'corn mais maïs maíz milho elote ذرة الذرة',
  rice: 'riz arroz أرز الأرز رز',
  wheat: 'blé ble trigo froment قمح القمح',
  sorghum: 'sorgho sorgo durra ذرة_رفيعة',
  millet: 'mil mijo milhete petit_mil دخن الدخن',
  barley: 'orge cebada cevada شعير',
  bread: 'pain pan pão خبز الخبز',
  flour: 'farine harina farinha دقيق طحين',
  pasta: 'pâtes fideos massa spaghetti macaroni',
  beans: 'haricot haricots frijol frijoles feijão feijões habichuela habichuelas alubias niébé فاصوليا',
  lentils: 'lentilles lentejas lentilhas عدس العدس',
  peas: 'pois guisantes arvejas ervilhas',
  chickpeas: 'pois_chiches garbanzos حمص',
  cowpeas: 'niébé caupí',
  'groundnuts|peanut': 'groundnuts peanuts arachide arachides cacahuète cacahuètes cacahuate maní amendoim',
  cassava: 'manioc yuca mandioca tapioca',
  potatoes: 'pommes_de_terre pomme_de_terre papas papa patatas patata batatas بطاطس بطاطا',
  'sweet potatoes': 'patate_douce patates_douces camote batata_doce',
  plantains: 'plátano plátanos',
  bananas: 'banane bananes banano bananos موز',
  tomatoes: 'tomate tomates tomato طماطم',
  onions: 'oignon oignons cebolla cebollas cebola cebolas بصل البصل',
  oil: 'huile aceite óleo زيت الزيت',
  sugar: 'sucre azúcar açúcar سكر السكر',
  salt: 'sel sal ملح الملح',
  milk: 'lait leche leite حليب لبن',
  eggs: 'œuf œufs oeuf oeufs huevo huevos ovo ovos بيض البيض',
  meat: 'viande carne لحم اللحم',
  beef: 'bœuf boeuf',
  chicken: 'poulet pollo frango دجاج الدجاج',
  fish: 'poisson poissons pescado peixe سمك السمك',
  coffee: 'café قهوة',
  tea: 'thé té chá شاي الشاي',
  fuel: 'carburant combustible combustível essence gasolina وقود',
  'exchange rate':
    'taux_de_change tipo_de_cambio taxa_de_câmbio dollar dollars dólar usd dollar_exchange_rate usd_exchange_rate دولار صرف الصرف',
};

/** Words that names may have for words of food, by each of its words, as `plainWords` has them. */
export const FOOD_WORDS: ReadonlyMap<string, readonly string[]> = foodWords();

function foodWords(): Map<string, string[]> {
  const meanings = new Map<string, string[]>();
  for (const [names, words] of Object.entries(FOOD))
    for (const word of words.split(' ').filter((each) => each !== '')) {
      const key = phraseKey(word.replaceAll('_', ' '));
      if (key !== '') meanings.set(key, [...(meanings.get(key) ?? []), ...names.split('|')]);
    }
  return meanings;
}

/** Words for price types by one that their names have. */
export const PRICE_TYPE_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    retail: 'détail minorista menudeo varejo retalho تجزئة التجزئة',
    wholesale: 'gros mayorista mayoreo atacado جملة الجملة',
    producer: 'producteur productor produtor farmgate منتج المنتج',
  }).map(([name, words]) => [name, plainWords(words)]),
);

/** Several words as one key: those that are not left out. */
export function phraseKey(text: string): string {
  return plainWords(text)
    .filter((word) => !isLeftOut(word))
    .join(' ');
}
