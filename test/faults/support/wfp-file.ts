const HEADER =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,' +
  'priceflag,pricetype,currency,price,usdprice\n';
const COMMODITIES = 40;
const MONTHS = 190;

/** A file of monthly prices of one country in the layout of WFP, with at least so many bytes. */
export function writeWfpContent(bytes: number): { content: Buffer; rows: number } {
  const parts = [Buffer.from(HEADER)];
  let length = HEADER.length;
  let series = 0;
  for (; length < bytes; series++) {
    const part = Buffer.from(seriesLines(Math.floor(series / COMMODITIES), series % COMMODITIES));
    parts.push(part);
    length += part.length;
  }
  return { content: Buffer.concat(parts), rows: series * MONTHS };
}

function seriesLines(market: number, commodity: number): string {
  const position = (market % 300) / 100;
  const place =
    `Province ${market % 8},District ${market % 40},Market number ${market},${1000 + market},` +
    `${(position - 1).toFixed(2)},${(position + 36).toFixed(2)}`;
  const product = `cereals and tubers,Commodity ${commodity},${100 + commodity},KG,actual,Retail,KES`;
  let lines = '';
  for (let month = 0; month < MONTHS; month++) {
    const date = `${2005 + Math.floor(month / 12)}-${String(1 + (month % 12)).padStart(2, '0')}-15`;
    const price = 50 + ((market * 31 + commodity * 7 + month * 3) % 200) / 4;
    lines += `${date},${place},${product},${price.toFixed(2)},0.5\n`;
  }
  return lines;
}
