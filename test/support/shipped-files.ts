/** A made-up file in the form of each mapping that is a part of the service. */
export const SHIPPED_FILES: Readonly<Record<string, string>> = {
  'fews-net': `country,market,admin_1,longitude,latitude,cpcv2,product,source_document,period_date,price_type,product_source,unit,unit_type,currency,value
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P1,Bread,"FEWS NET, Price (USD)",2019-01-31,Retail,Local,700_g,Weight,USD,1.05
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P1,Bread,"FEWS NET, Price (USD)",2019-02-28,Retail,Local,700_g,Weight,USD,
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P2,Diesel,"FEWS NET, Price (USD)",2019-02-28,Wholesale,Local,L,Volume,USD,1.3
`,
  'hdx-hapi': `location_code,has_hrp,in_gho,provider_admin1_name,provider_admin2_name,admin1_code,admin1_name,admin2_code,admin2_name,admin_level,market_code,market_name,commodity_code,commodity_name,commodity_category,currency_code,unit,price_flag,price_type,price,lat,lon,reference_period_start,reference_period_end
#country+code,#meta+has_hrp,#meta+in_gho,#adm1+name+provider,#adm2+name+provider,#adm1+code,#adm1+name,#adm2+code,#adm2+name,#admin_level,#loc+market+code,#loc+market+name,#item+code,#item+name,#item+type,#currency+code,#item+unit,#item+price+flag,#item+price+type,#item+price,#geo+lat,#geo+lon,#date+start,#date+end
MLI,True,True,Kayes,Nioro,ML01,Kayes,ML0101,Nioro,2,17,Beta,52,Rice,cereals and tubers,XOF,KG,actual,Retail,450.5,14.4,-11.4,2024-01-01T00:00:00,2024-01-31T00:00:00
MLI,True,True,Kayes,Nioro,ML01,Kayes,ML0101,Nioro,2,17,Beta,52,Rice,cereals and tubers,XOF,KG,forecast,Retail,460,14.4,-11.4,2024-02-01T00:00:00,2024-02-29T00:00:00
`,
  agmarknet: `State,District,Market,Commodity,Variety,Grade,Arrival_Date,Min_x0020_Price,Max_x0020_Price,Modal_x0020_Price
Kerala,Kannur,Gamma,Onion,Big,FAQ,05/02/2024,2000,2400,2250
`,
  sniim: `Fecha,Presentación,Origen,Destino,Precio Mín,Precio Max,Precio Frec,Obs.
05/02/2024,Caja de 10 kg.,Michoacán,Jalisco: Mercado de Abasto Uno,300,340,320,
05/02/2024,Caja de 10 kg.,Importación,Jalisco: Mercado de Abasto Uno,310,350,330,
06/02/2024,Kilogramo,Michoacán,Puebla: Central de Abasto Dos,30,34,31.5,poco
`,
  'pink-sheet': `World Bank Commodity Price Data (The Pink Sheet),,,,,
"monthly prices in nominal US dollars, 1960 to present",,,,,
(monthly series are available in nominal US dollars),,,,,
"Updated on June 02, 2026",,,,,
,"Crude oil, average",Cocoa,Beef **,"Rice, Thai 5% ",Plywood
,($/bbl),($/kg),($/kg),($/mt),(cents/sheet)
,CRUDE_PETRO,COCOA,BEEF,RICE_05,PLYWOOD
1960M01,1.63,0.5,0.75,…,102.5
1960M02,1.64,0.625,,120.25,102.5
`,
  rtfp: `ISO3,country,adm1_name,adm2_name,mkt_name,lat,lon,geo_id,price_date,year,month,currency,components,start_dense_data,last_survey_point,data_coverage,data_coverage_recent,index_confidence_score,spatially_interpolated,maize_flour,rice,salt,o_maize_flour,h_maize_flour,l_maize_flour,c_maize_flour,inflation_maize_flour,trust_maize_flour,o_rice,h_rice,l_rice,c_rice,inflation_rice,trust_rice,c_salt,o_food_price_index,h_food_price_index,l_food_price_index,c_food_price_index,inflation_food_price_index,trust_food_price_index
MLI,Mali,Kayes,Nioro,Beta,14.4,-11.4,gid_1440000001140,2024-01-01,2024,1,XOF,"maize_flour (2.1 KG, Index Weight = 0.48), rice (50 KG, Index Weight = 0.18)",Jan 2007,Dec 2024,20.7,40.2,0.98,0,,21000,,880,910,870,900.5,,5.4,20900,21500,20800,21250,,9.1,,1,1.1,0.9,1.05,,9.1
MLI,Mali,Kayes,Nioro,Beta,14.4,-11.4,gid_1440000001140,2024-02-01,2024,2,XOF,"maize_flour (2.1 KG, Index Weight = 0.48), rice (50 KG, Index Weight = 0.18)",Jan 2007,Dec 2024,20.7,40.2,0.98,0,,,,,,,,,,21250,21700,21100,21600,,9.1,,1.05,1.1,1,1.07,,9.1
MLI,Mali,Market Average,Market Average,Market Average,NA,NA,gid_mli_national_average,2024-01-01,2024,1,XOF,"maize_flour (2.1 KG, Index Weight = 0.48), rice (50 KG, Index Weight = 0.18)",Jan 2007,Dec 2024,20.7,40.2,0.98,0,,,,880,910,870,900.5,,5.4,20900,21500,20800,21250,,9.1,,1,1.1,0.9,1.05,,9.1
`,
  'faostat-producer-prices': `Domain Code,Domain,Area Code (M49),Area,Element Code,Element,Item Code (CPC),Item,Year Code,Year,Months Code,Months,Unit,Value,Flag,Flag Description
PP,Producer Prices,404,Kenya,5530,Producer Price (LCU/tonne),0112,Maize (corn),2023,2023,7001,January,LCU,52000.5,A,Official figure
PP,Producer Prices,404,Kenya,5530,Producer Price (LCU/tonne),0112,Maize (corn),2023,2023,7002,February,LCU,53000,I,Imputed value
PP,Producer Prices,404,Kenya,5530,Producer Price (LCU/tonne),0112,Maize (corn),2023,2023,7021,Annual value,LCU,52500,A,Official figure
PP,Producer Prices,404,Kenya,5532,Producer Price (USD/tonne),0112,Maize (corn),2023,2023,7021,Annual value,USD,375.5,A,Official figure
PP,Producer Prices,384,Côte d'Ivoire,5530,Producer Price (LCU/tonne),01651,Cocoa beans,2023,2023,7012,December,LCU,1000000,,
PP,Producer Prices,384,Côte d'Ivoire,5530,Producer Price (LCU/tonne),01651,Cocoa beans,2023,2023,7011,November,LCU,,M,Missing value
PP,Producer Prices,159,China,5530,Producer Price (LCU/tonne),0111,Wheat,2023,2023,7001,January,LCU,2900,A,Official figure
PP,Producer Prices,156,"China, mainland",5530,Producer Price (LCU/tonne),0111,Wheat,2023,2023,7001,January,LCU,2900,A,Official figure
`,
  'bls-average-prices': `Series Id,Year,Period,Value
APU0000708111,2025,M08,3.5
APU0000708111,2025,M09,3.25
APU0000708111,2025,M10,-
APU0300712112,2025,M09,0.925
`,
  'nbs-nigeria': `Item Label,Average of Jan-24,Average of Dec-24,Average of jan-25,MoM,YoY,Highest,Lowest,,
Agric hen eggs,116.5,252.25,248.5,-1.5,113.25,Enugu (325),Adamawa (200),,
"Agric hen eggs, (a Crate of 30 pieces)",,,5878.5,,,Enugu (7000),Niger (4613.06),,
"Tomatoes, fresh ",1123.5,1157.25,1283.75,11,14.25,Rivers (2000),Taraba (500),,
`,
  'ecb-rates': 'Date,USD,JPY,XYZ,EEK,\n2024-02-06,1.25,160,5,N/A,\n',
  'fred-rates': 'observation_date,DEXINUS\n2024-02-06,83.05\n2024-02-07,\n2024-02-08,.\n',
};

/** What such a file is called: some mappings read a field from it. */
export const shippedFileName = (format: string): string =>
  format === 'sniim' ? 'sniim_aguacate hass.csv' : `${format}.csv`;
