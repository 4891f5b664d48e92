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
  'ecb-rates': 'Date,USD,JPY,XYZ,EEK,\n2024-02-06,1.25,160,5,N/A,\n',
  'fred-rates': 'observation_date,DEXINUS\n2024-02-06,83.05\n2024-02-07,\n2024-02-08,.\n',
};
