import { countryOfFileName } from './wfp-file-name.js';

describe('the country of a file of WFP by its name', () => {
  it.each([
    ['wfp_food_prices_ken.csv', 'KEN'],
    ['WFP_Food_Prices_SOM.csv.gz', 'SOM'],
    ['wfp_food_prices_xkx.csv', 'XKX'],
    ['wfp_food_prices_xkv.csv', 'XKX'],
    ['XKV_WFP_FoodPrices_2017-01-03.csv', 'XKX'],
    ['wfp_food_prices_ken (2).csv', 'KEN'],
    ['wfp_food_prices_ken_mar_2024.csv', 'KEN'],
    ['wfp_food_prices_ken_2024-03.csv', 'KEN'],
    ['YEM_WFP_FoodPrices_2016-05-09.csv', 'YEM'],
    ['wfpvam_foodprices_lbn_2016.csv.gz', 'LBN'],
    ['https://data.humdata.org/dataset/abc/resource/def/download/wfp_food_prices_nga.csv', 'NGA'],
    ['https://example.org/ken/prices.csv', null],
    ['uganda_prices_mar_2024.csv', null],
    ['wfp_and_fao_prices.csv', null],
    ['wfp_food_prices_global_2015.csv', null],
    ['wfp_food_prices_are_here.csv', null],
    ['wfp_food_prices_kenya.csv', null],
    ['wfp_food_prices_xxx.csv', null],
    ['ken.csv', null],
    ['', null],
  ])('of %j is %j', (name, iso3) => expect(countryOfFileName(name)).toBe(iso3));
});
