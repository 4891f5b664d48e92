// Made by `npm run types` from the API document. Do not edit.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_auth_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Account/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Account_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Alias": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Alias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Alias/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Alias_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/AuditLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_AuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ChangeSet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_ChangeSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ChangeSet/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_ChangeSet_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Commodity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Commodity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Commodity/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Commodity_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Correction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Correction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Country": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Country"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Cpi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Cpi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Cpi/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Cpi_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Edition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Edition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Edition/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Edition_number"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Finding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Finding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Finding/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Finding_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/FindingRule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_FindingRule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/FindingSummary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_FindingSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/FxRate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_FxRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/FxRate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_FxRate_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest_id_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest/{id}/run/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest_id_run_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest/{id}/run/{run}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest_id_run_run_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Harvest/{id}/run/{run}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Harvest_id_run_run_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Mapping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Mapping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Mapping/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Mapping_name"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Mapping/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Mapping_name_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Mapping/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Mapping_name_versions_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Market": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Market"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Market/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Market_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/MeasureUnit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_MeasureUnit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/MeasureUnit/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_MeasureUnit_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceAggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceAggregate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceChange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceCompare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceCompare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeason": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerie": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerie"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerie/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerie_uuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerieDomestic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerieDomestic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerieFacet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerieFacet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerieIndicator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerieIndicator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerieIndicator/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerieIndicator_uuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSerieInternational": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSerieInternational"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice_uuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice/{uuid}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice_uuid_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice/{uuid}/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice_uuid_id_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice/{uuid}/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice_uuid_differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceSeriePrice/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceSeriePrice_differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceTable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceTable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceType": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceType/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceType_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceWarning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceWarning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/PriceWarningChange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_PriceWarningChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Release"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Source"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Source/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Source_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_api_v1_Suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/editions/{number}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_editions_number_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_health_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_problems_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Serie: {
            /** Format: uuid */
            uuid: string;
            iso3_country_code: string;
            country_name: string;
            commodity: string;
            commodity_id: number;
            hs_code: string;
            category: string;
            price_type: string;
            price_type_id: number;
            market: string;
            market_id: number;
            market_type: string;
            admin_unit: string;
            admin_unit2: string;
            /** Format: double */
            latitude: number | null;
            /** Format: double */
            longitude: number | null;
            source: string;
            source_id: number;
            currency: string;
            measure_unit: string;
            measure_unit_id: number;
            /** Format: double */
            conversion_factor: number | null;
            regional_average: boolean;
            /** Format: date */
            last_price_date: string | null;
            periodicity: components["schemas"]["Period"][];
            /** @enum {string} */
            status?: "observed" | "estimated" | "forecast";
        };
        Period: {
            /** @enum {string} */
            period: "daily" | "weekly" | "monthly";
            /** Format: date */
            start_date: string;
            /** Format: date */
            end_date: string;
            /** @constant */
            calculated?: true;
        };
        SerieFacets: {
            count: number;
            facets: {
                iso3_country_codes: components["schemas"]["FacetValue"][];
                commodity_ids: components["schemas"]["FacetValue"][];
                categories: components["schemas"]["FacetValue"][];
                price_types_ids: components["schemas"]["FacetValue"][];
                market_types: components["schemas"]["FacetValue"][];
                sources_ids: components["schemas"]["FacetValue"][];
                currencies: components["schemas"]["FacetValue"][];
                periodicity: components["schemas"]["FacetValue"][];
            };
            without: {
                [key: string]: number;
            };
        };
        Suggestions: {
            countries: {
                iso3_country_code: string;
                country_name: string;
                series: number;
            }[];
            commodities: {
                commodity_id: number;
                commodity: string;
                category: string;
                series: number;
            }[];
            markets: {
                market_id: number;
                market: string;
                admin_unit: string;
                iso3_country_code: string;
                country_name: string;
                series: number;
            }[];
            series: {
                /** Format: uuid */
                uuid: string;
                commodity: string;
                market: string;
                iso3_country_code: string;
                country_name: string;
                price_type: string;
                measure_unit: string;
                currency: string;
                source: string;
                /** Format: date */
                last_price_date: string | null;
            }[];
            country_commodities: {
                iso3_country_code: string;
                country_name: string;
                commodity_id: number;
                commodity: string;
                series: number;
            }[];
        };
        Country: {
            iso3_country_code: string;
            country_name: string;
            series: number;
            /** Format: date */
            last_price_date: string | null;
        };
        FacetValue: {
            value: string | number;
            name: string;
            count: number;
        };
        SeriePrices: {
            /** Format: uuid */
            uuid: string;
            series: components["schemas"]["PricedSerie"];
            datapoints: components["schemas"]["Datapoint"][];
        };
        PricedSerie: {
            /** Format: uuid */
            uuid: string;
            iso3_country_code: string;
            country_name: string;
            commodity: string;
            commodity_id: number;
            hs_code: string;
            category: string;
            price_type: string;
            price_type_id: number;
            market: string;
            market_id: number;
            market_type: string;
            admin_unit: string;
            admin_unit2: string;
            /** Format: double */
            latitude: number | null;
            /** Format: double */
            longitude: number | null;
            source: string;
            source_id: number;
            currency: string;
            measure_unit: string;
            measure_unit_id: number;
            /** Format: double */
            conversion_factor: number | null;
            regional_average: boolean;
            /** Format: date */
            last_price_date: string | null;
            periodicity: components["schemas"]["Period"][];
            /** @enum {string} */
            status?: "observed" | "estimated" | "forecast";
            market_code?: string;
            market_info?: string;
            source_url?: string;
            source_license?: string;
            measure_unit_dimension?: string;
        };
        Datapoint: {
            /** Format: int64 */
            id: number;
            /** Format: double */
            price_value: number;
            /** Format: double */
            price_value_real: number | null;
            /** Format: double */
            price_value_dollar: number | null;
            /** Format: double */
            conversion_factor: number | null;
            /** Format: date */
            date: string;
            /** @enum {string} */
            periodicity: "daily" | "weekly" | "monthly";
            comment: string;
            /** @constant */
            calculated?: true;
            /** @constant */
            partial?: true;
            /** @constant */
            provisional?: true;
            flags?: string[];
            /** @enum {unknown} */
            rate_basis?: "published" | "relation" | "successor" | "predecessor" | "unclear" | null;
            index_base?: string | null;
            explain?: components["schemas"]["PointExplanation"];
        };
        PointExplanation: {
            stored_points: components["schemas"]["StoredPointPart"][];
            exchange_rate: components["schemas"]["RateExplanation"] | null;
            index: components["schemas"]["IndexRecord"] | null;
        };
        StoredPointPart: {
            /** Format: uuid */
            uuid: string | null;
            /** Format: date */
            date: string;
            /** @enum {string} */
            periodicity: "daily" | "weekly" | "monthly";
            /** Format: double */
            price_value: number;
            /** Format: double */
            factor: number;
            change_set_id: number;
        };
        RateExplanation: {
            /** @enum {unknown} */
            basis: "published" | "relation" | "successor" | "predecessor";
            /** Format: double */
            rate: number;
            currency: string;
            /** Format: double */
            units: number;
            reference: string | null;
            rows: {
                id: number;
                currency: string;
                /** Format: date */
                date: string;
                /** @enum {unknown} */
                period: "daily" | "monthly";
                /** Format: double */
                rate: number;
                source: string;
            }[];
        };
        IndexRecord: {
            id: number;
            iso3_country_code: string;
            /** Format: date */
            date: string;
            base_period: string;
            /** Format: double */
            value: number;
            source: string;
            link: components["schemas"]["IndexLink"] | null;
        };
        IndexLink: {
            base_period: string;
            /** Format: double */
            factor: number;
            months: {
                n: number;
                /** Format: date */
                first: string;
                /** Format: date */
                last: string;
            };
        };
        PriceExplanation: {
            /** Format: date */
            date: string;
            /** Format: double */
            price_value: number;
            n: number;
            stored_points: components["schemas"]["StoredPointPart"][];
            /** Format: double */
            price_value_dollar: number | null;
            exchange_rate: components["schemas"]["RateExplanation"] | null;
            /** Format: double */
            price_value_real: number | null;
            index: components["schemas"]["IndexRecord"] | null;
            us_index: components["schemas"]["IndexRecord"] | null;
            /** Format: double */
            value: number | null;
        };
        SeriesExplanation: {
            /** Format: uuid */
            uuid: string;
            currency: string;
            measure_unit: string;
            /** Format: double */
            unit_factor: number | null;
            prices: components["schemas"]["PriceExplanation"][];
        };
        IfpaExplanation: {
            /** Format: double */
            gamma: number;
            quarterly: {
                months: number;
                /** Format: date */
                date: string;
                /** Format: double */
                value: number | null;
                /** Format: double */
                before: number | null;
                /** Format: double */
                growth_rate: number | null;
                history: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                    /** Format: double */
                    before: number | null;
                    /** Format: double */
                    growth_rate: number | null;
                    /** Format: double */
                    weight: number;
                }[];
                n: number;
                /** Format: double */
                mean: number;
                /** Format: double */
                sd: number;
                /** Format: double */
                score: number;
            };
            annual: {
                months: number;
                /** Format: date */
                date: string;
                /** Format: double */
                value: number | null;
                /** Format: double */
                before: number | null;
                /** Format: double */
                growth_rate: number | null;
                history: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                    /** Format: double */
                    before: number | null;
                    /** Format: double */
                    growth_rate: number | null;
                    /** Format: double */
                    weight: number;
                }[];
                n: number;
                /** Format: double */
                mean: number;
                /** Format: double */
                sd: number;
                /** Format: double */
                score: number;
            };
            /** Format: double */
            value: number;
        };
        ObservationExplanation: {
            value?: {
                price: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
            };
            change_1m?: {
                price: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
                before: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
            };
            change_3m?: {
                price: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
                before: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
            };
            change_12m?: {
                price: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
                before: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
            };
            mean_5y?: {
                prices: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                }[];
                n: number;
                /** Format: double */
                mean: number | null;
            };
            mean_5y_years?: {
                prices: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                }[];
                n: number;
                /** Format: double */
                mean: number | null;
            };
            against_mean_5y?: {
                price: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                };
                prices: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                }[];
                n: number;
                /** Format: double */
                mean: number | null;
            };
            seasonal_index?: {
                calendar_month: number;
            };
            volatility_12m?: {
                log_changes: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                    /** Format: double */
                    before: number | null;
                    /** Format: double */
                    log_change: number;
                }[];
                n: number;
                /** Format: double */
                mean: number;
            };
            ifpa?: components["schemas"]["IfpaExplanation"];
            alps?: {
                /** Format: date */
                date: string;
                /** Format: double */
                value: number | null;
                calendar_month: number;
                t: number;
                after_break: number;
                /** Format: double */
                expected: number;
                fit: {
                    /** Format: date */
                    first_month: string;
                    /** Format: date */
                    last_month: string;
                    n: number;
                    /** Format: double */
                    alpha: number;
                    /** Format: double */
                    step: number;
                    /** Format: double */
                    sd: number;
                    calendar_months: {
                        calendar_month: number;
                        n: number;
                        /** Format: double */
                        t: number | null;
                        /** Format: double */
                        price: number | null;
                        /** Format: double */
                        after_break: number | null;
                    }[];
                };
            };
        };
        YearExplanation: {
            months: {
                /** Format: date */
                date: string;
                ifpa: components["schemas"]["IfpaExplanation"];
            }[];
        };
        AggregateExplanation: {
            prices: {
                /** Format: uuid */
                uuid: string;
                /** Format: double */
                value: number;
                /** Format: double */
                before: number | null;
            }[];
            /** Format: date */
            linked_from: string | null;
            /** Format: double */
            linked_value: number | null;
            /** Format: double */
            scale: number | null;
        };
        GroupExplanation: {
            formulas: {
                [key: string]: string;
            };
            series: components["schemas"]["SeriesExplanation"][];
        };
        ComparisonExplanation: {
            formulas: {
                [key: string]: string;
            };
            series: components["schemas"]["SeriesExplanation"][];
        };
        IndicatorsExplanation: {
            formulas: {
                [key: string]: string;
            };
            seasonal: {
                calendar_month: number;
                ratios: {
                    /** Format: date */
                    date: string;
                    /** Format: double */
                    value: number | null;
                    /** Format: double */
                    moving_average: number;
                    /** Format: double */
                    ratio: number;
                }[];
                /** Format: double */
                mean: number;
            }[] | null;
            series: components["schemas"]["SeriesExplanation"][];
        };
        Correction: {
            id: number;
            /** @enum {string} */
            state: "standing" | "confirmed" | "superseded" | "withdrawn";
            /** Format: uuid */
            uuid: string | null;
            /** @enum {string|null} */
            periodicity: "daily" | "weekly" | "monthly" | null;
            /** Format: date */
            date: string;
            /** @enum {string|null} */
            table: "FxRate" | "Cpi" | null;
            record_id: number | null;
            /** Format: double */
            value: number | null;
            /** Format: double */
            base: number | null;
            comment: string;
            reason: string;
            change_set_id: number;
        };
        Finding: {
            id: number;
            /** @enum {string} */
            rule: "spike" | "spike_possible" | "decimal_slip" | "swapped" | "batch" | "month_suspect" | "edge_spike" | "level_shift" | "redenomination" | "flat" | "off_peers" | "split_series" | "foreign_currency" | "twin_currency" | "identical_series" | "not_a_commodity" | "rate_outside_currency_life" | "rate_step" | "rate_frozen" | "index_break" | "index_interpolated" | "rate_inverted" | "rate_date_out_of_range" | "index_level" | "index_date_out_of_range" | "date_out_of_range" | "position_outside" | "near_duplicate" | "future_date" | "unknown_unit" | "unknown_type" | "harvest_failed" | "harvest_held" | "source_late";
            /** @enum {string} */
            severity: "error" | "look" | "info";
            /** @enum {string} */
            state: "open" | "dismissed" | "corrected" | "gone";
            /** @enum {string} */
            scope: "point" | "series" | "group" | "rate" | "index" | "harvest";
            /** Format: uuid */
            uuid: string | null;
            iso3_country_code: string | null;
            /** @enum {string|null} */
            periodicity: "daily" | "weekly" | "monthly" | null;
            /** Format: date */
            date: string | null;
            /** Format: double */
            value: number | null;
            /** Format: double */
            expected: number | null;
            /** Format: double */
            ratio: number | null;
            members: {
                [key: string]: unknown;
            }[] | null;
            detail: string;
            change_set_id: number | null;
            reason: string;
        };
        FindingCount: {
            iso3_country_code: string | null;
            /** @enum {string} */
            rule: "spike" | "spike_possible" | "decimal_slip" | "swapped" | "batch" | "month_suspect" | "edge_spike" | "level_shift" | "redenomination" | "flat" | "off_peers" | "split_series" | "foreign_currency" | "twin_currency" | "identical_series" | "not_a_commodity" | "rate_outside_currency_life" | "rate_step" | "rate_frozen" | "index_break" | "index_interpolated" | "rate_inverted" | "rate_date_out_of_range" | "index_level" | "index_date_out_of_range" | "date_out_of_range" | "position_outside" | "near_duplicate" | "future_date" | "unknown_unit" | "unknown_type" | "harvest_failed" | "harvest_held" | "source_late";
            /** @enum {string} */
            state: "open" | "dismissed" | "corrected" | "gone";
            count: number;
        };
        FindingRule: {
            /** @enum {string} */
            rule: "spike" | "spike_possible" | "decimal_slip" | "swapped" | "batch" | "month_suspect" | "edge_spike" | "level_shift" | "redenomination" | "flat" | "off_peers" | "split_series" | "foreign_currency" | "twin_currency" | "identical_series" | "not_a_commodity" | "rate_outside_currency_life" | "rate_step" | "rate_frozen" | "index_break" | "index_interpolated" | "rate_inverted" | "rate_date_out_of_range" | "index_level" | "index_date_out_of_range" | "date_out_of_range" | "position_outside" | "near_duplicate" | "future_date" | "unknown_unit" | "unknown_type" | "harvest_failed" | "harvest_held" | "source_late";
            /** @enum {string} */
            severity: "error" | "look" | "info";
            /** @enum {string} */
            scope: "point" | "series" | "group" | "rate" | "index" | "harvest";
            description: string;
            thresholds: {
                [key: string]: number;
            };
        };
        Account: {
            id: number | null;
            username: string;
            /** @enum {string} */
            role: "maintainer" | "admin";
            issuer?: string;
            subject?: string;
        };
        AccountRecord: {
            id: number;
            username: string;
            /** @enum {string} */
            role: "maintainer" | "admin";
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            password_changed_at: string;
            /** Format: date-time */
            last_login_at: string | null;
        };
        Alias: {
            id: number;
            /** @enum {string} */
            table: "PriceType" | "Market" | "Commodity" | "Source" | "MeasureUnit";
            record_id: number;
            name: string;
            iso3_country_code: string;
            admin_unit: string;
            admin_unit2: string;
        };
        AuditLogEntry: {
            [key: string]: unknown;
        };
        ChangeSet: {
            id: number;
            /** @enum {string} */
            kind: "import" | "correction" | "record" | "merge" | "revert" | "sample" | "findings" | "migration";
            /** @enum {string} */
            state: "running" | "done" | "failed" | "interrupted";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** Format: int64 */
            first_revision: number | null;
            /** Format: int64 */
            last_revision: number | null;
            input: string;
            format: string;
            digest: string;
            source: string;
            reason: string;
            counts: Record<string, never> | null;
            reverted_by: number | null;
        };
        Edition: {
            number: number;
            title: string;
            /** @enum {string} */
            state: "running" | "ready" | "failed" | "interrupted";
            /** Format: int64 */
            revision: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            error: string;
            series: number | null;
            /** Format: int64 */
            points: number | null;
            difference: components["schemas"]["EditionDifference"] | null;
            files: components["schemas"]["EditionFile"][] | null;
        };
        EditionDifference: {
            edition: number;
            series_added: number;
            series_removed: number;
            /** Format: int64 */
            points_added: number;
            /** Format: int64 */
            points_changed: number;
            /** Format: int64 */
            points_removed: number;
        };
        EditionFile: {
            name: string;
            /** Format: int64 */
            bytes: number;
            sha256: string;
            path: string;
        };
        Changes: {
            results: (components["schemas"]["SeriesChange"] | components["schemas"]["RecordChange"])[];
            next: string;
            more: boolean;
        };
        SeriesChange: {
            /** Format: int64 */
            revision: number;
            /** Format: date-time */
            at: string;
            change_set_id: number;
            /** @enum {string} */
            kind: "import" | "correction" | "record" | "merge" | "revert" | "sample" | "findings" | "migration";
            /** @constant */
            type: "series";
            /** Format: uuid */
            uuid: string;
            iso3_country_code: string;
            /** @enum {string} */
            action: "created" | "changed" | "removed";
            points: {
                /** Format: int64 */
                added: number;
                /** Format: int64 */
                changed: number;
                /** Format: int64 */
                removed: number;
            };
            /** Format: date */
            first_date: string | null;
            /** Format: date */
            last_date: string | null;
            attributes?: {
                id: number;
                commodity_id: number;
                price_type_id: number;
                market_id: number;
                source_id: number;
                measure_unit_id: number;
                currency: string;
                marked_periods: ("daily" | "weekly" | "monthly")[];
                /** @enum {string} */
                status?: "observed" | "estimated" | "forecast";
            };
            joined_into?: {
                id: number;
                /** Format: double */
                factor: number;
                /** @enum {string} */
                prefer: "into" | "from";
                /** Format: date */
                start_date: string | null;
                /** Format: date */
                end_date: string | null;
                place: number;
            } | null;
            aliases?: string[];
            entry?: components["schemas"]["Serie"] | null;
            changes?: {
                /** @enum {string} */
                periodicity: "daily" | "weekly" | "monthly";
                /** Format: date */
                date: string;
                before: {
                    /** Format: double */
                    price_value: number;
                    comment: string;
                    calculated: boolean;
                    /** @constant */
                    provisional?: true;
                } | null;
                after: {
                    /** Format: double */
                    price_value: number;
                    comment: string;
                    calculated: boolean;
                    /** @constant */
                    provisional?: true;
                } | null;
            }[];
        };
        RecordChange: {
            /** Format: int64 */
            revision: number;
            /** Format: date-time */
            at: string;
            change_set_id: number;
            /** @enum {string} */
            kind: "import" | "correction" | "record" | "merge" | "revert" | "sample" | "findings" | "migration";
            /** @constant */
            type: "record";
            table: string;
            id: number;
            /** @enum {string} */
            action: "created" | "changed" | "removed";
            record?: Record<string, never> | null;
        };
        SerieIndicators: {
            /** Format: uuid */
            uuid: string;
            series: components["schemas"]["Serie"];
            settings: components["schemas"]["IndicatorSettings"];
            seasonal: {
                index: number[] | null;
                sd: number[] | null;
                years: number | null;
            };
            observations: (components["schemas"]["Indicators"] | components["schemas"]["AnnualIndicator"])[];
            explain?: components["schemas"]["IndicatorsExplanation"];
        };
        IndicatorSettings: {
            /** @enum {string} */
            measure: "nominal" | "real" | "usd" | "real_usd";
            /** @enum {string} */
            per: "unit" | "base";
            /** @enum {string} */
            ifpa_mode: "standard" | "fpma";
            history_from: string | null;
            /** @enum {string} */
            alps_window: "realtime" | "full";
            fit_until: string | null;
            break_date: string | null;
            /** Format: double */
            gamma: number;
            ifpa_thresholds: number[];
            alps_thresholds: number[];
            allow_gaps: boolean;
            annual: boolean;
            method_version: number;
        };
        Indicators: {
            /** Format: date */
            date: string;
            /** Format: double */
            value?: number | null;
            /** Format: double */
            change_1m?: number | null;
            /** Format: double */
            change_3m?: number | null;
            /** Format: double */
            change_12m?: number | null;
            /** Format: double */
            mean_5y?: number | null;
            mean_5y_years?: number;
            /** Format: double */
            against_mean_5y?: number | null;
            /** Format: double */
            seasonal_index?: number | null;
            /** Format: double */
            volatility_12m?: number | null;
            ifpa?: {
                /** Format: double */
                value: number | null;
                /** Format: double */
                quarterly: number | null;
                /** Format: double */
                annual: number | null;
                /** @enum {unknown} */
                class: "high" | "moderate" | "normal" | null;
                provisional: boolean | null;
                weak: boolean | null;
            };
            alps?: {
                /** Format: double */
                value: number | null;
                /** Format: double */
                expected: number | null;
                /** @enum {unknown} */
                class: "crisis" | "alert" | "stress" | "normal" | null;
            };
            reasons: {
                [key: string]: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
            };
            explain?: components["schemas"]["ObservationExplanation"];
        };
        SerieIndicator: {
            /** Format: uuid */
            uuid: string;
            series: components["schemas"]["Serie"];
            fresh: boolean;
            /** Format: date */
            date: string;
            /** Format: double */
            value?: number | null;
            /** Format: double */
            change_1m?: number | null;
            /** Format: double */
            change_3m?: number | null;
            /** Format: double */
            change_12m?: number | null;
            /** Format: double */
            mean_5y?: number | null;
            mean_5y_years?: number;
            /** Format: double */
            against_mean_5y?: number | null;
            /** Format: double */
            seasonal_index?: number | null;
            /** Format: double */
            volatility_12m?: number | null;
            ifpa?: {
                /** Format: double */
                value: number | null;
                /** Format: double */
                quarterly: number | null;
                /** Format: double */
                annual: number | null;
                /** @enum {unknown} */
                class: "high" | "moderate" | "normal" | null;
                provisional: boolean | null;
                weak: boolean | null;
            };
            alps?: {
                /** Format: double */
                value: number | null;
                /** Format: double */
                expected: number | null;
                /** @enum {unknown} */
                class: "crisis" | "alert" | "stress" | "normal" | null;
            };
            reasons: {
                [key: string]: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
            };
        };
        PriceWarning: {
            iso3_country_code: string;
            country_name: string;
            category?: string;
            commodity_id?: number;
            commodity?: string;
            month: string;
            series: number;
            fresh: number;
            markets: number;
            ifpa: {
                high: number;
                moderate: number;
                normal: number;
                undefined: number;
            };
            alps: {
                crisis: number;
                alert: number;
                stress: number;
                normal: number;
                undefined: number;
            };
            /** Format: double */
            share_high: number | null;
            /** Format: double */
            share_alert_or_worse: number | null;
            persistence: {
                ifpa: number;
                alps: number;
            };
            top: {
                /** Format: uuid */
                uuid: string;
                commodity: string;
                market: string;
                /** Format: date */
                date: string;
                /** Format: double */
                ifpa: number;
                /** @enum {string} */
                ifpa_class: "high" | "moderate" | "normal";
                /** @enum {string|null} */
                alps_class: "crisis" | "alert" | "stress" | "normal" | null;
            }[];
            rated: number;
            high: number;
        };
        PriceTable: {
            dates: string[];
            columns: components["schemas"]["TableColumn"][];
            values: (number | null)[][];
        };
        TableColumn: {
            /** Format: uuid */
            uuid: string;
            label: string;
            index_base?: string;
            iso3_country_code: string;
            country_name: string;
            commodity: string;
            commodity_id: number;
            hs_code: string;
            category: string;
            price_type: string;
            price_type_id: number;
            market: string;
            market_id: number;
            market_type: string;
            admin_unit: string;
            admin_unit2: string;
            /** Format: double */
            latitude: number | null;
            /** Format: double */
            longitude: number | null;
            source: string;
            source_id: number;
            currency: string;
            measure_unit: string;
            measure_unit_id: number;
            /** Format: double */
            conversion_factor: number | null;
            regional_average: boolean;
            /** Format: date */
            last_price_date: string | null;
            periodicity: components["schemas"]["Period"][];
            /** @enum {string} */
            status?: "observed" | "estimated" | "forecast";
        };
        PriceComparison: {
            /** @enum {string} */
            formula: "ratio" | "difference";
            /** @enum {string} */
            measure: "nominal" | "real" | "usd" | "real_usd";
            /** @enum {string} */
            per: "unit" | "base";
            currency: string;
            unit: string;
            index_base?: string | null;
            a: components["schemas"]["Serie"];
            b: components["schemas"]["Serie"];
            observations: {
                /** Format: date */
                date: string;
                /** Format: double */
                value: number | null;
                /** Format: double */
                a: number | null;
                /** Format: double */
                b: number | null;
                reasons: {
                    /** @enum {string} */
                    value?: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
                    /** @enum {string} */
                    a?: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
                    /** @enum {string} */
                    b?: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
                };
            }[];
            explain?: components["schemas"]["ComparisonExplanation"];
        };
        AnnualIndicator: {
            year: number;
            n_months: number;
            partial: boolean;
            /** Format: double */
            ifpa: number | null;
            reasons?: {
                /** @enum {string} */
                ifpa: "no_price" | "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "no_price_1m_ago" | "no_price_3m_ago" | "no_price_12m_ago" | "gap_gt_3" | "short_history" | "sparse" | "flat" | "sd_zero";
            };
            explain?: components["schemas"]["YearExplanation"];
        };
        AggregateGroup: {
            iso3_country_code?: string;
            country_name?: string;
            admin_unit?: string;
            market?: string;
            market_id?: number;
            commodity?: string;
            commodity_id?: number;
            category?: string;
            source?: string;
            source_id?: number;
            price_type?: string;
            price_type_id?: number;
            currency: string;
            unit: string | null;
            index_base?: string | null;
            settings: components["schemas"]["AggregateSettings"];
            segments: {
                segment: number;
                /** Format: date */
                start_date: string;
                /** Format: date */
                end_date: string;
                /** Format: date */
                base: string | null;
            }[];
            observations: components["schemas"]["Aggregate"][];
            explain?: components["schemas"]["GroupExplanation"];
        };
        AggregateSettings: {
            /** @enum {string} */
            measure: "nominal" | "real" | "usd" | "real_usd";
            /** @enum {string} */
            per: "unit" | "base";
            /** @enum {string} */
            periodicity: "monthly" | "quarterly" | "annual";
            /** @enum {string} */
            aggregation: "avg" | "eop" | "min" | "max" | "median";
            min_matched: number;
            base: string | null;
            method_version: number;
        };
        Aggregate: {
            /** Format: date */
            date: string;
            /** Format: double */
            median: number | null;
            /** Format: double */
            mean: number | null;
            /** Format: double */
            min: number | null;
            /** Format: double */
            max: number | null;
            n: number;
            /** Format: double */
            index: number | null;
            /** Format: date */
            linked_from: string | null;
            n_matched: number | null;
            segment: number | null;
            left_out: {
                [key: string]: number;
            };
            reasons: {
                [key: string]: "no_factor" | "no_rate" | "no_cpi" | "other_base" | "few_values" | "chain_broken" | "other_segment";
            };
            series?: string[];
            matched?: string[] | null;
            explain?: components["schemas"]["AggregateExplanation"];
        };
        PointVersion: {
            /** Format: double */
            price_value: number | null;
            comment: string | null;
            /** Format: date-time */
            known_from: string;
            /** Format: date-time */
            known_to: string | null;
            /** Format: int64 */
            first_revision: number;
            /** Format: int64 */
            last_revision: number | null;
            change_set_id: number;
            /** @enum {string} */
            kind: "import" | "correction" | "record" | "merge" | "revert" | "sample" | "findings" | "migration";
        };
        PointDifference: {
            /** Format: uuid */
            uuid: string;
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            periodicity: "daily" | "weekly" | "monthly";
            /** Format: date */
            date: string;
            /** @enum {string} */
            action: "added" | "changed" | "removed";
            /** Format: double */
            before: number | null;
            /** Format: double */
            after: number | null;
            comment_before: string | null;
            comment_after: string | null;
        };
        ImportReport: {
            format: string;
            mapping_version?: number;
            input: string;
            change_set_id: number | null;
            digest: string;
            /** Format: int64 */
            bytes: number;
            dry_run: boolean;
            convention: {
                decimal: {
                    /** @enum {string} */
                    is: "comma" | "point";
                    line: number | null;
                } | null;
                dates: {
                    /** @enum {string} */
                    is: "ymd" | "dmy" | "mdy";
                    line: number | null;
                } | null;
            } | null;
            notes: string[];
            error: string | null;
            /** Format: int64 */
            read: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            unchanged: number;
            skipped: {
                [key: string]: number;
            };
            /** Format: int64 */
            rejected: number;
            rejected_by_reason: {
                [key: string]: number;
            };
            rejects: {
                /** Format: int64 */
                line: number;
                field: string;
                reason: string;
                detail: string;
            }[];
            countries: {
                [key: string]: number;
            };
            series: number;
            records: {
                [key: string]: number;
            };
            created_records: {
                table: string;
                name: string;
                near: string[];
            }[];
            /** Format: int64 */
            rounded: number;
            /** Format: int64 */
            inverted: number;
            /** Format: int64 */
            replaced: number;
            replaced_values: {
                column: string;
                value: string;
                read_as: string;
                /** Format: int64 */
                cells: number;
            }[];
            hs_codes_kept: number;
            /** Format: int64 */
            filled: number;
            attribute_conflicts: number;
            conflicting_attributes: {
                table: string;
                record_id: number;
                field: string;
                stored: string | number;
                given: string | number;
            }[];
            /** Format: int64 */
            corrections_kept: number;
            /** Format: int64 */
            corrections_confirmed: number;
            /** Format: int64 */
            corrections_superseded: number;
            /** Format: int64 */
            kept_other_source: number;
            /** Format: int64 */
            older_than_stored: number;
            /** Format: int64 */
            backdated: number | null;
            findings: {
                [key: string]: number;
            } | null;
            first_findings: {
                id: number | null;
                rule: string;
                /** @enum {string} */
                severity: "error" | "look" | "info";
                /** Format: uuid */
                uuid: string | null;
                /** Format: date */
                date: string | null;
                /** Format: double */
                value: number | null;
                /** Format: double */
                expected: number | null;
                detail: string;
            }[];
            superseded_corrections: {
                id: number;
                /** Format: uuid */
                uuid: string | null;
                periodicity: string | null;
                /** Format: date */
                date: string;
                table: string | null;
                record_id: number | null;
                /** Format: double */
                value: number | null;
                /** Format: double */
                base: number | null;
                /** Format: double */
                source_value: number;
            }[];
            first_rows: {
                /** Format: int64 */
                line: number;
                table: string | null;
                values: {
                    [key: string]: string;
                };
            }[];
            /** Format: double */
            seconds: number;
            /** Format: double */
            rows_per_second: number;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @enum {string} */
            code: "bad_request" | "invalid" | "parse_error" | "not_authenticated" | "token_not_valid" | "authentication_failed" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "duplicate" | "in_use" | "reference_missing" | "calculated" | "built_in" | "ended" | "last_admin" | "joined" | "not_comparable" | "not_held" | "not_revertible" | "edition_running" | "import_running" | "idempotency_in_progress" | "token_unknown" | "range_not_satisfiable" | "precondition_failed" | "too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_mismatch" | "precondition_required" | "throttled" | "headers_too_large" | "error" | "unavailable" | "storage_unavailable" | "newer_schema" | "outcome_unknown" | "timeout";
            detail: string;
            instance: string;
            errors?: components["schemas"]["Violation"][];
            last_page?: number;
        } & {
            [key: string]: unknown;
        };
        Violation: {
            /** @enum {string} */
            in?: "query" | "path" | "header" | "body";
            name?: string;
            pointer?: string;
            /** @enum {string} */
            code: "blank" | "built_in" | "calculated" | "conflicting_fields" | "contradiction" | "duplicate_name" | "duplicate" | "ended" | "id_mismatch" | "in_future" | "in_use" | "invalid_as_of" | "invalid_boolean" | "invalid_choice" | "invalid_date" | "invalid_encoding" | "invalid_format" | "invalid_integer" | "invalid_item" | "invalid_number" | "invalid_text" | "invalid_type" | "joined" | "last_admin" | "not_comparable" | "null" | "out_of_range" | "parse_error" | "read_only" | "reference_missing" | "repeated_parameter" | "required" | "reversed_range" | "same_record" | "too_long" | "too_many_items" | "unknown_field" | "unknown_parameter" | "unknown_revision";
            detail: string;
        } & {
            [key: string]: unknown;
        };
        Harvest: {
            id: number;
            name: string;
            address: string;
            header: string;
            has_secret: boolean;
            format: string;
            options: components["schemas"]["HarvestOptions"];
            source: string;
            schedule: string;
            time_zone: string;
            /** Format: double */
            shrink_limit: number;
            /** Format: double */
            reject_limit: number;
            /** Format: double */
            change_limit: number;
            expected_interval: string;
            expected_lag: string;
            owner: string;
            enabled: boolean;
            /** Format: date-time */
            next_run_at: string | null;
        };
        HarvestCounts: {
            /** Format: int64 */
            read: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            unchanged: number;
            /** Format: int64 */
            skipped: number;
            /** Format: int64 */
            rejected: number;
            countries: {
                [key: string]: number;
            };
        };
        HarvestOptions: {
            country?: string | null;
            price_type?: string | null;
            /** @enum {string|null} */
            period?: "daily" | "weekly" | "monthly" | null;
            /** @enum {string|null} */
            decimal?: "comma" | "point" | null;
            /** @enum {string|null} */
            dates?: "ymd" | "dmy" | "mdy" | null;
            invert?: boolean | null;
            file?: string | null;
            sheet?: string | null;
            encoding?: string | null;
            include_forecast?: boolean | null;
            overrule_corrections?: boolean | null;
            fill_only?: boolean | null;
            replace?: boolean | null;
        };
        HarvestRun: {
            id: number;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "unchanged" | "failed" | "interrupted" | "held" | "approved" | "dismissed" | "superseded";
            attempt: number;
            /** Format: date-time */
            due_at: string;
            /** Format: date-time */
            not_before: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** Format: int64 */
            bytes: number | null;
            counts: components["schemas"]["HarvestCounts"] | null;
            change_set_id: number | null;
            error: string;
            held: components["schemas"]["HeldReason"][];
            decided_by: string;
            reason: string;
        };
        HeldReason: {
            /** @enum {string} */
            limit: "shrink_limit" | "reject_limit" | "change_limit";
            detail: string;
        };
        Mapping: {
            name: string;
            title?: string;
            table: string;
            encoding?: string;
            file?: string;
            missingValues?: string[];
            dialect?: {
                header?: boolean;
                headerRows?: number[];
                headerJoin?: string;
                commentRows?: number[];
                commentChar?: string;
                delimiter?: string;
                /** @enum {string} */
                quoteChar?: "\"";
                /** @constant */
                doubleQuote?: true;
                sheetNumber?: number;
                sheetName?: string;
            };
            skip?: {
                column: string | number;
                equals?: string;
                startsWith?: string;
                /** @constant */
                blank?: true;
            }[];
            end?: {
                column: string | number;
                equals?: string;
                startsWith?: string;
                /** @constant */
                blank?: true;
            };
            unpivot?: {
                columns: string;
                value: string;
                except?: string[];
            };
            fields: {
                [key: string]: {
                    column?: string | number;
                    value?: string;
                    file?: string;
                    sheet?: string;
                    join?: (string | number)[];
                    joinWith?: string;
                    list?: {
                        by: string;
                        item: string;
                    };
                    fillDown?: boolean;
                    values?: {
                        [key: string]: string;
                    };
                    /** @enum {string} */
                    others?: "reject" | "keep";
                    missingValues?: string[];
                    /** Format: double */
                    multiply?: number;
                    decimalChar?: string;
                    groupChar?: string;
                    bareNumber?: boolean;
                    format?: string;
                    language?: string;
                    /** @enum {string} */
                    calendar?: "gregorian" | "ethiopic" | "persian" | "buddhist";
                    invert?: boolean;
                    per?: string;
                };
            };
        };
        MappingEntry: {
            name: string;
            title: string;
            table: string;
            shipped: boolean;
            version: number | null;
            /** Format: date-time */
            saved_at: string | null;
            change_set_id: number | null;
        };
        MappingRecord: {
            name: string;
            title: string;
            table: string;
            shipped: boolean;
            version: number | null;
            /** Format: date-time */
            saved_at: string | null;
            change_set_id: number | null;
            mapping: components["schemas"]["Mapping"];
        };
        MappingVersion: {
            version: number;
            title: string;
            table: string;
            /** Format: date-time */
            saved_at: string;
            /** Format: date-time */
            ended_at: string | null;
            change_set_id: number;
        };
        PriceChange: {
            iso3_country_code?: string;
            country_name?: string;
            admin_unit?: string;
            market?: string;
            market_id?: number;
            commodity?: string;
            commodity_id?: number;
            category?: string;
            source?: string;
            source_id?: number;
            price_type?: string;
            price_type_id?: number;
            currency: string;
            unit: string | null;
            index_base?: string | null;
            month: string;
            series: number;
            n: number;
            /** Format: double */
            median: number;
            /** Format: double */
            change_1m: number | null;
            matched_1m: number;
            /** Format: double */
            change_3m: number | null;
            matched_3m: number;
            /** Format: double */
            change_12m: number | null;
            matched_12m: number;
        };
        PriceSeason: {
            iso3_country_code?: string;
            country_name?: string;
            admin_unit?: string;
            market?: string;
            market_id?: number;
            commodity?: string;
            commodity_id?: number;
            category?: string;
            source?: string;
            source_id?: number;
            price_type?: string;
            price_type_id?: number;
            currency: string;
            unit: string | null;
            index_base?: string | null;
            series: number;
            /** @enum {string|null} */
            of: "index" | "median" | null;
            years: number | null;
            dearest_month: number | null;
            /** Format: double */
            dearest: number | null;
            cheapest_month: number | null;
            /** Format: double */
            cheapest: number | null;
            seasonal: number[] | null;
            sd: number[] | null;
        };
        PriceWarningChange: {
            iso3_country_code: string;
            country_name: string;
            category?: string;
            commodity_id?: number;
            commodity?: string;
            month: string;
            old: boolean;
            fresh: number;
            rated: number;
            high: number;
            /** Format: double */
            share: number | null;
            rated_1m_ago: number;
            high_1m_ago: number;
            /** Format: double */
            share_1m_ago: number | null;
            rated_12m_ago: number;
            high_12m_ago: number;
            /** Format: double */
            share_12m_ago: number | null;
            newly_high: number;
            no_longer_high: number;
            newly_high_commodities: {
                commodity_id: number;
                commodity: string;
                series: number;
            }[];
            no_longer_high_commodities: {
                commodity_id: number;
                commodity: string;
                series: number;
            }[];
        };
        Release: {
            source_id: number;
            source: string;
            iso3_country_code: string;
            country_name: string;
            /** @enum {string} */
            periodicity: "daily" | "weekly" | "monthly";
            series: number;
            /** Format: date */
            last_period_end: string;
            /** Format: date */
            last_stored: string | null;
            /** Format: date */
            next_period_end: string;
            /** Format: date */
            next_expected: string | null;
            /** @enum {string|null} */
            reason: "too_few_releases" | null;
            days_late: number | null;
            releases: number;
            /** Format: double */
            median_lag_days: number | null;
            /** Format: double */
            p90_lag_days: number | null;
        };
        PriceType: {
            id: number;
            name: string;
            description: string;
        };
        FxRate: {
            id: number;
            currency: string;
            /** Format: date */
            date: string;
            /** @enum {string} */
            period: "daily" | "monthly";
            /** Format: double */
            rate: number;
            /** @enum {string} */
            rate_type: "official" | "parallel";
            source: string;
        };
        Cpi: {
            id: number;
            iso3_country_code: string;
            /** Format: date */
            date: string;
            /** @enum {string} */
            item: "general" | "food";
            /** Format: double */
            value: number;
            base_period: string;
            source: string;
        };
        Market: {
            id: number;
            name: string;
            type: string;
            code: string;
            iso3_country_code: string;
            country_name: string;
            admin_unit: string;
            admin_unit2: string;
            /** Format: double */
            latitude: number | null;
            /** Format: double */
            longitude: number | null;
            info: string;
            regional_average: boolean;
        };
        Commodity: {
            id: number;
            name: string;
            hs_code: string | null;
            category: string;
        };
        Source: {
            id: number;
            name: string;
            url: string;
            license: string;
        };
        MeasureUnit: {
            id: number;
            name: string;
            /** @enum {string} */
            dimension: "mass" | "volume" | "count" | "other";
            /** Format: double */
            conversion_factor: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get: {
        parameters: {
            query?: {
                format?: "json" | "html";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                    "text/html": string;
                };
            };
        };
    };
    get_api_auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    get_api_v1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
        };
    };
    get_api_v1_Account: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "username" | "-username" | "role" | "-role" | "enabled" | "-enabled" | "created_at" | "-created_at" | "password_changed_at" | "-password_changed_at" | "last_login_at" | "-last_login_at")[];
                fields?: ("id" | "username" | "role" | "enabled" | "created_at" | "password_changed_at" | "last_login_at")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["AccountRecord"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Account_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountRecord"];
                };
            };
        };
    };
    get_api_v1_Alias: {
        parameters: {
            query?: {
                table?: ("PriceType" | "Market" | "Commodity" | "Source" | "MeasureUnit")[];
                record_id?: number[];
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "table" | "-table" | "record_id" | "-record_id" | "name" | "-name" | "iso3_country_code" | "-iso3_country_code" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2")[];
                fields?: ("id" | "table" | "record_id" | "name" | "iso3_country_code" | "admin_unit" | "admin_unit2")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Alias"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Alias_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alias"];
                };
            };
        };
    };
    get_api_v1_AuditLog: {
        parameters: {
            query?: {
                table?: string[];
                record_id?: number[];
                account_id?: number[];
                subject?: string[];
                change_set_id?: number[];
                action?: ("create" | "update" | "delete" | "import" | "revert")[];
                from?: string;
                to?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "at" | "-at" | "account_id" | "-account_id" | "username" | "-username" | "token_id" | "-token_id" | "request_id" | "-request_id" | "table" | "-table" | "record_id" | "-record_id" | "action" | "-action" | "issuer" | "-issuer" | "subject" | "-subject" | "change_set_id" | "-change_set_id")[];
                fields?: ("id" | "at" | "account_id" | "username" | "token_id" | "request_id" | "table" | "record_id" | "action" | "before" | "after" | "issuer" | "subject" | "change_set_id")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["AuditLogEntry"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_ChangeSet: {
        parameters: {
            query?: {
                kind?: ("import" | "correction" | "record" | "merge" | "revert" | "sample" | "findings" | "migration")[];
                state?: ("running" | "done" | "failed" | "interrupted")[];
                source?: string[];
                from?: string;
                to?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "kind" | "-kind" | "state" | "-state" | "started_at" | "-started_at" | "ended_at" | "-ended_at" | "first_revision" | "-first_revision" | "last_revision" | "-last_revision" | "input" | "-input" | "format" | "-format" | "digest" | "-digest" | "source" | "-source" | "reason" | "-reason" | "reverted_by" | "-reverted_by")[];
                fields?: ("id" | "kind" | "state" | "started_at" | "ended_at" | "first_revision" | "last_revision" | "input" | "format" | "digest" | "source" | "reason" | "counts" | "reverted_by")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["ChangeSet"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_ChangeSet_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
        };
    };
    get_api_v1_Changes: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                status?: ("observed" | "estimated" | "forecast" | "all")[];
                since?: string;
                limit?: number;
                wait?: number;
                points?: boolean;
                format?: "json";
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                    "text/event-stream": string;
                };
            };
        };
    };
    get_api_v1_Commodity: {
        parameters: {
            query?: {
                id?: number[];
                name?: string[];
                hs_code?: string[];
                category?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "hs_code" | "-hs_code" | "category" | "-category")[];
                fields?: ("id" | "name" | "hs_code" | "category")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commodity"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Commodity"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Commodity_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commodity"];
                };
            };
        };
    };
    get_api_v1_Correction: {
        parameters: {
            query?: {
                state?: ("standing" | "confirmed" | "superseded" | "withdrawn")[];
                change_set_id?: number[];
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "state" | "-state" | "uuid" | "-uuid" | "periodicity" | "-periodicity" | "date" | "-date" | "table" | "-table" | "record_id" | "-record_id" | "value" | "-value" | "base" | "-base" | "comment" | "-comment" | "reason" | "-reason" | "change_set_id" | "-change_set_id")[];
                fields?: ("id" | "state" | "uuid" | "periodicity" | "date" | "table" | "record_id" | "value" | "base" | "comment" | "reason" | "change_set_id")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Correction"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Country: {
        parameters: {
            query?: {
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "series" | "-series" | "last_price_date" | "-last_price_date")[];
                fields?: ("iso3_country_code" | "country_name" | "series" | "last_price_date")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Country"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Cpi: {
        parameters: {
            query?: {
                id?: number[];
                iso3_country_code?: string[];
                date?: string[];
                item?: ("general" | "food")[];
                value?: number[];
                base_period?: string[];
                source?: string[];
                search?: string;
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "iso3_country_code" | "-iso3_country_code" | "date" | "-date" | "item" | "-item" | "value" | "-value" | "base_period" | "-base_period" | "source" | "-source")[];
                fields?: ("id" | "iso3_country_code" | "date" | "item" | "value" | "base_period" | "source")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cpi"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Cpi"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Cpi_id: {
        parameters: {
            query?: {
                as_of?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cpi"];
                };
            };
        };
    };
    get_api_v1_Edition: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("number" | "-number" | "title" | "-title" | "state" | "-state" | "revision" | "-revision" | "started_at" | "-started_at" | "ended_at" | "-ended_at" | "error" | "-error" | "series" | "-series" | "points" | "-points")[];
                fields?: ("number" | "title" | "state" | "revision" | "started_at" | "ended_at" | "error" | "series" | "points" | "difference" | "files")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Edition"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Edition_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Edition"];
                };
            };
        };
    };
    get_api_v1_Finding: {
        parameters: {
            query?: {
                rule?: ("spike" | "spike_possible" | "decimal_slip" | "swapped" | "batch" | "month_suspect" | "edge_spike" | "level_shift" | "redenomination" | "flat" | "off_peers" | "split_series" | "foreign_currency" | "twin_currency" | "identical_series" | "not_a_commodity" | "rate_outside_currency_life" | "rate_step" | "rate_frozen" | "index_break" | "index_interpolated" | "rate_inverted" | "rate_date_out_of_range" | "index_level" | "index_date_out_of_range" | "date_out_of_range" | "position_outside" | "near_duplicate" | "future_date" | "unknown_unit" | "unknown_type" | "harvest_failed" | "harvest_held" | "source_late")[];
                severity?: ("error" | "look" | "info")[];
                state?: ("open" | "dismissed" | "corrected" | "gone")[];
                from?: string;
                to?: string;
                change_set_id?: number[];
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "rule" | "-rule" | "severity" | "-severity" | "state" | "-state" | "scope" | "-scope" | "uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "periodicity" | "-periodicity" | "date" | "-date" | "value" | "-value" | "expected" | "-expected" | "ratio" | "-ratio" | "detail" | "-detail" | "change_set_id" | "-change_set_id" | "reason" | "-reason")[];
                fields?: ("id" | "rule" | "severity" | "state" | "scope" | "uuid" | "iso3_country_code" | "periodicity" | "date" | "value" | "expected" | "ratio" | "members" | "detail" | "change_set_id" | "reason")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Finding"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Finding_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
        };
    };
    get_api_v1_FindingRule: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("rule" | "-rule" | "severity" | "-severity" | "scope" | "-scope" | "description" | "-description")[];
                fields?: ("rule" | "severity" | "scope" | "description" | "thresholds")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["FindingRule"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_FindingSummary: {
        parameters: {
            query?: {
                rule?: ("spike" | "spike_possible" | "decimal_slip" | "swapped" | "batch" | "month_suspect" | "edge_spike" | "level_shift" | "redenomination" | "flat" | "off_peers" | "split_series" | "foreign_currency" | "twin_currency" | "identical_series" | "not_a_commodity" | "rate_outside_currency_life" | "rate_step" | "rate_frozen" | "index_break" | "index_interpolated" | "rate_inverted" | "rate_date_out_of_range" | "index_level" | "index_date_out_of_range" | "date_out_of_range" | "position_outside" | "near_duplicate" | "future_date" | "unknown_unit" | "unknown_type" | "harvest_failed" | "harvest_held" | "source_late")[];
                severity?: ("error" | "look" | "info")[];
                state?: ("open" | "dismissed" | "corrected" | "gone")[];
                from?: string;
                to?: string;
                change_set_id?: number[];
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "rule" | "-rule" | "state" | "-state" | "count" | "-count")[];
                fields?: ("iso3_country_code" | "rule" | "state" | "count")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["FindingCount"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_FxRate: {
        parameters: {
            query?: {
                id?: number[];
                currency?: string[];
                date?: string[];
                period?: ("daily" | "monthly")[];
                rate?: number[];
                rate_type?: ("official" | "parallel")[];
                source?: string[];
                search?: string;
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "currency" | "-currency" | "date" | "-date" | "period" | "-period" | "rate" | "-rate" | "rate_type" | "-rate_type" | "source" | "-source")[];
                fields?: ("id" | "currency" | "date" | "period" | "rate" | "rate_type" | "source")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FxRate"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["FxRate"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_FxRate_id: {
        parameters: {
            query?: {
                as_of?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FxRate"];
                };
            };
        };
    };
    get_api_v1_Harvest: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "address" | "-address" | "header" | "-header" | "has_secret" | "-has_secret" | "format" | "-format" | "source" | "-source" | "schedule" | "-schedule" | "time_zone" | "-time_zone" | "shrink_limit" | "-shrink_limit" | "reject_limit" | "-reject_limit" | "change_limit" | "-change_limit" | "expected_interval" | "-expected_interval" | "expected_lag" | "-expected_lag" | "owner" | "-owner" | "enabled" | "-enabled" | "next_run_at" | "-next_run_at")[];
                fields?: ("id" | "name" | "address" | "header" | "has_secret" | "format" | "options" | "source" | "schedule" | "time_zone" | "shrink_limit" | "reject_limit" | "change_limit" | "expected_interval" | "expected_lag" | "owner" | "enabled" | "next_run_at")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Harvest"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Harvest_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Harvest"];
                };
            };
        };
    };
    get_api_v1_Harvest_id_run: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "state" | "-state" | "attempt" | "-attempt" | "due_at" | "-due_at" | "not_before" | "-not_before" | "started_at" | "-started_at" | "ended_at" | "-ended_at" | "bytes" | "-bytes" | "change_set_id" | "-change_set_id" | "error" | "-error" | "decided_by" | "-decided_by" | "reason" | "-reason")[];
                fields?: ("id" | "state" | "attempt" | "due_at" | "not_before" | "started_at" | "ended_at" | "bytes" | "counts" | "change_set_id" | "error" | "held" | "decided_by" | "reason")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["HarvestRun"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Harvest_id_run_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                run: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HarvestRun"];
                };
            };
        };
    };
    get_api_v1_Harvest_id_run_run_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                run: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    get_api_v1_Harvest_id_run_run_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                run: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"];
                };
            };
        };
    };
    get_api_v1_Mapping: {
        parameters: {
            query?: {
                name?: string[];
                table?: ("prices" | "PriceType" | "fx" | "cpi" | "Market" | "Commodity" | "Source" | "MeasureUnit")[];
                shipped?: boolean;
                page?: number;
                page_size?: number;
                sort?: ("name" | "-name" | "title" | "-title" | "table" | "-table" | "shipped" | "-shipped" | "version" | "-version" | "saved_at" | "-saved_at" | "change_set_id" | "-change_set_id")[];
                fields?: ("name" | "title" | "table" | "shipped" | "version" | "saved_at" | "change_set_id")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["MappingEntry"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Mapping_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MappingRecord"];
                };
            };
        };
    };
    get_api_v1_Mapping_name_versions: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                sort?: ("version" | "-version" | "title" | "-title" | "table" | "-table" | "saved_at" | "-saved_at" | "ended_at" | "-ended_at" | "change_set_id" | "-change_set_id")[];
                fields?: ("version" | "title" | "table" | "saved_at" | "ended_at" | "change_set_id")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                name: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["MappingVersion"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Mapping_name_versions_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MappingRecord"];
                };
            };
        };
    };
    get_api_v1_Market: {
        parameters: {
            query?: {
                id?: number[];
                name?: string[];
                type?: string[];
                code?: string[];
                iso3_country_code?: string[];
                country_name?: string[];
                admin_unit?: string[];
                admin_unit2?: string[];
                latitude?: number[];
                longitude?: number[];
                info?: string[];
                regional_average?: boolean[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "type" | "-type" | "code" | "-code" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2" | "latitude" | "-latitude" | "longitude" | "-longitude" | "info" | "-info" | "regional_average" | "-regional_average")[];
                fields?: ("id" | "name" | "type" | "code" | "iso3_country_code" | "country_name" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "info" | "regional_average")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Market"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Market"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Market_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Market"];
                };
            };
        };
    };
    get_api_v1_MeasureUnit: {
        parameters: {
            query?: {
                id?: number[];
                name?: string[];
                dimension?: ("mass" | "volume" | "count" | "other")[];
                conversion_factor?: number[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "dimension" | "-dimension" | "conversion_factor" | "-conversion_factor")[];
                fields?: ("id" | "name" | "dimension" | "conversion_factor")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureUnit"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["MeasureUnit"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_MeasureUnit_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureUnit"];
                };
            };
        };
    };
    get_api_v1_PriceAggregate: {
        parameters: {
            query?: {
                by?: ("country" | "admin_unit" | "market" | "commodity" | "category" | "source" | "price_type")[];
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                periodicity?: "monthly" | "quarterly" | "annual";
                aggregation?: "avg" | "eop" | "min" | "max" | "median";
                base?: string;
                min_matched?: number;
                explain?: boolean;
                series?: boolean;
                start_date?: string;
                end_date?: string;
                latest?: number;
                as_of?: string;
                goods?: true | false | "food";
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "admin_unit" | "-admin_unit" | "market" | "-market" | "market_id" | "-market_id" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "category" | "-category" | "source" | "-source" | "source_id" | "-source_id" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "currency" | "-currency" | "unit" | "-unit")[];
                fields?: ("iso3_country_code" | "country_name" | "admin_unit" | "market" | "market_id" | "commodity" | "commodity_id" | "category" | "source" | "source_id" | "price_type" | "price_type_id" | "currency" | "unit" | "index_base" | "observations" | "date" | "median" | "mean" | "min" | "max" | "n" | "index" | "linked_from" | "n_matched" | "segment" | "left_out" | "median_reason" | "index_reason" | "series" | "matched" | "settings" | "segments" | "explain")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["AggregateGroup"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceChange: {
        parameters: {
            query?: {
                by?: ("country" | "admin_unit" | "market" | "commodity" | "category" | "source" | "price_type")[];
                month?: string;
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                min_matched?: number;
                as_of?: string;
                goods?: true | false | "food";
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "admin_unit" | "-admin_unit" | "market" | "-market" | "market_id" | "-market_id" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "category" | "-category" | "source" | "-source" | "source_id" | "-source_id" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "currency" | "-currency" | "unit" | "-unit" | "index_base" | "-index_base" | "month" | "-month" | "series" | "-series" | "n" | "-n" | "median" | "-median" | "change_1m" | "-change_1m" | "matched_1m" | "-matched_1m" | "change_3m" | "-change_3m" | "matched_3m" | "-matched_3m" | "change_12m" | "-change_12m" | "matched_12m" | "-matched_12m")[];
                fields?: ("iso3_country_code" | "country_name" | "admin_unit" | "market" | "market_id" | "commodity" | "commodity_id" | "category" | "source" | "source_id" | "price_type" | "price_type_id" | "currency" | "unit" | "index_base" | "month" | "series" | "n" | "median" | "change_1m" | "matched_1m" | "change_3m" | "matched_3m" | "change_12m" | "matched_12m")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["PriceChange"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceCompare: {
        parameters: {
            query: {
                uuids: string[];
                formula?: "ratio" | "difference";
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                start_date?: string;
                end_date?: string;
                latest?: number;
                as_of?: string;
                explain?: boolean;
                sort?: ("date" | "-date" | "value" | "-value" | "a" | "-a" | "b" | "-b" | "value_reason" | "-value_reason" | "a_reason" | "-a_reason" | "b_reason" | "-b_reason")[];
                fields?: ("date" | "value" | "a" | "b" | "reasons" | "value_reason" | "a_reason" | "b_reason")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceComparison"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeason: {
        parameters: {
            query?: {
                by?: ("country" | "admin_unit" | "market" | "commodity" | "category" | "source" | "price_type")[];
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                min_matched?: number;
                as_of?: string;
                goods?: true | false | "food";
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "admin_unit" | "-admin_unit" | "market" | "-market" | "market_id" | "-market_id" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "category" | "-category" | "source" | "-source" | "source_id" | "-source_id" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "currency" | "-currency" | "unit" | "-unit" | "index_base" | "-index_base" | "series" | "-series" | "of" | "-of" | "years" | "-years" | "dearest_month" | "-dearest_month" | "dearest" | "-dearest" | "cheapest_month" | "-cheapest_month" | "cheapest" | "-cheapest")[];
                fields?: ("iso3_country_code" | "country_name" | "admin_unit" | "market" | "market_id" | "commodity" | "commodity_id" | "category" | "source" | "source_id" | "price_type" | "price_type_id" | "currency" | "unit" | "index_base" | "series" | "of" | "years" | "dearest_month" | "dearest" | "cheapest_month" | "cheapest" | "seasonal" | "sd")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["PriceSeason"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSerie: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                status?: ("observed" | "estimated" | "forecast" | "all")[];
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "hs_code" | "-hs_code" | "category" | "-category" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "market" | "-market" | "market_id" | "-market_id" | "market_type" | "-market_type" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2" | "latitude" | "-latitude" | "longitude" | "-longitude" | "source" | "-source" | "source_id" | "-source_id" | "currency" | "-currency" | "measure_unit" | "-measure_unit" | "measure_unit_id" | "-measure_unit_id" | "conversion_factor" | "-conversion_factor" | "regional_average" | "-regional_average" | "last_price_date" | "-last_price_date" | "daily_start" | "-daily_start" | "daily_end" | "-daily_end" | "weekly_start" | "-weekly_start" | "weekly_end" | "-weekly_end" | "weekly_calculated" | "-weekly_calculated" | "monthly_start" | "-monthly_start" | "monthly_end" | "-monthly_end" | "monthly_calculated" | "-monthly_calculated")[];
                fields?: ("uuid" | "iso3_country_code" | "country_name" | "commodity" | "commodity_id" | "hs_code" | "category" | "price_type" | "price_type_id" | "market" | "market_id" | "market_type" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "source" | "source_id" | "currency" | "measure_unit" | "measure_unit_id" | "conversion_factor" | "regional_average" | "last_price_date" | "periodicity" | "daily_start" | "daily_end" | "weekly_start" | "weekly_end" | "weekly_calculated" | "monthly_start" | "monthly_end" | "monthly_calculated" | "status")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Serie"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSerie_uuid: {
        parameters: {
            query?: {
                as_of?: string;
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Serie"];
                };
            };
        };
    };
    get_api_v1_PriceSerieDomestic: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                status?: ("observed" | "estimated" | "forecast" | "all")[];
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "hs_code" | "-hs_code" | "category" | "-category" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "market" | "-market" | "market_id" | "-market_id" | "market_type" | "-market_type" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2" | "latitude" | "-latitude" | "longitude" | "-longitude" | "source" | "-source" | "source_id" | "-source_id" | "currency" | "-currency" | "measure_unit" | "-measure_unit" | "measure_unit_id" | "-measure_unit_id" | "conversion_factor" | "-conversion_factor" | "regional_average" | "-regional_average" | "last_price_date" | "-last_price_date" | "daily_start" | "-daily_start" | "daily_end" | "-daily_end" | "weekly_start" | "-weekly_start" | "weekly_end" | "-weekly_end" | "weekly_calculated" | "-weekly_calculated" | "monthly_start" | "-monthly_start" | "monthly_end" | "-monthly_end" | "monthly_calculated" | "-monthly_calculated")[];
                fields?: ("uuid" | "iso3_country_code" | "country_name" | "commodity" | "commodity_id" | "hs_code" | "category" | "price_type" | "price_type_id" | "market" | "market_id" | "market_type" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "source" | "source_id" | "currency" | "measure_unit" | "measure_unit_id" | "conversion_factor" | "regional_average" | "last_price_date" | "periodicity" | "daily_start" | "daily_end" | "weekly_start" | "weekly_end" | "weekly_calculated" | "monthly_start" | "monthly_end" | "monthly_calculated" | "status")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Serie"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSerieFacet: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SerieFacets"];
                };
            };
        };
    };
    get_api_v1_PriceSerieIndicator: {
        parameters: {
            query?: {
                month?: string;
                as_of?: string;
                indicators?: ("value" | "change_1m" | "change_3m" | "change_12m" | "mean_5y" | "mean_5y_years" | "against_mean_5y" | "seasonal_index" | "volatility_12m" | "ifpa" | "alps")[];
                ifpa_class?: ("high" | "moderate" | "normal")[];
                alps_class?: ("crisis" | "alert" | "stress" | "normal")[];
                fresh?: boolean;
                min_change_12m?: number;
                max_change_12m?: number;
                order?: "ifpa" | "-ifpa" | "alps" | "-alps" | "change_1m" | "-change_1m" | "change_3m" | "-change_3m" | "change_12m" | "-change_12m" | "against_mean_5y" | "-against_mean_5y" | "volatility_12m" | "-volatility_12m";
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                ifpa_mode?: "standard" | "fpma";
                history_from?: string;
                alps_window?: "realtime" | "full";
                fit_until?: string;
                break_date?: string;
                gamma?: number;
                ifpa_thresholds?: number[];
                alps_thresholds?: number[];
                allow_gaps?: boolean;
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                goods?: true | false | "food";
                page?: number;
                page_size?: number;
                sort?: ("uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "commodity" | "-commodity" | "price_type" | "-price_type" | "market" | "-market" | "admin_unit" | "-admin_unit" | "source" | "-source" | "currency" | "-currency" | "measure_unit" | "-measure_unit" | "fresh" | "-fresh" | "date" | "-date" | "value" | "-value" | "change_1m" | "-change_1m" | "change_3m" | "-change_3m" | "change_12m" | "-change_12m" | "mean_5y" | "-mean_5y" | "mean_5y_years" | "-mean_5y_years" | "against_mean_5y" | "-against_mean_5y" | "seasonal_index" | "-seasonal_index" | "volatility_12m" | "-volatility_12m" | "ifpa_value" | "-ifpa_value" | "ifpa_quarterly" | "-ifpa_quarterly" | "ifpa_annual" | "-ifpa_annual" | "ifpa_class" | "-ifpa_class" | "ifpa_provisional" | "-ifpa_provisional" | "ifpa_weak" | "-ifpa_weak" | "alps_value" | "-alps_value" | "alps_expected" | "-alps_expected" | "alps_class" | "-alps_class" | "value_reason" | "-value_reason" | "change_1m_reason" | "-change_1m_reason" | "change_3m_reason" | "-change_3m_reason" | "change_12m_reason" | "-change_12m_reason" | "mean_5y_reason" | "-mean_5y_reason" | "against_mean_5y_reason" | "-against_mean_5y_reason" | "seasonal_index_reason" | "-seasonal_index_reason" | "volatility_12m_reason" | "-volatility_12m_reason" | "ifpa_reason" | "-ifpa_reason" | "alps_reason" | "-alps_reason")[];
                fields?: ("uuid" | "series" | "iso3_country_code" | "country_name" | "commodity" | "price_type" | "market" | "admin_unit" | "source" | "currency" | "measure_unit" | "fresh" | "date" | "value" | "change_1m" | "change_3m" | "change_12m" | "mean_5y" | "mean_5y_years" | "against_mean_5y" | "seasonal_index" | "volatility_12m" | "ifpa" | "ifpa_value" | "ifpa_quarterly" | "ifpa_annual" | "ifpa_class" | "ifpa_provisional" | "ifpa_weak" | "alps" | "alps_value" | "alps_expected" | "alps_class" | "reasons" | "value_reason" | "change_1m_reason" | "change_3m_reason" | "change_12m_reason" | "mean_5y_reason" | "against_mean_5y_reason" | "seasonal_index_reason" | "volatility_12m_reason" | "ifpa_reason" | "alps_reason")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["SerieIndicator"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSerieIndicator_uuid: {
        parameters: {
            query?: {
                start_date?: string;
                end_date?: string;
                latest?: number;
                as_of?: string;
                indicators?: ("value" | "change_1m" | "change_3m" | "change_12m" | "mean_5y" | "mean_5y_years" | "against_mean_5y" | "seasonal_index" | "volatility_12m" | "ifpa" | "alps")[];
                annual?: boolean;
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                ifpa_mode?: "standard" | "fpma";
                history_from?: string;
                alps_window?: "realtime" | "full";
                fit_until?: string;
                break_date?: string;
                gamma?: number;
                ifpa_thresholds?: number[];
                alps_thresholds?: number[];
                allow_gaps?: boolean;
                explain?: boolean;
                sort?: ("uuid" | "-uuid" | "date" | "-date" | "value" | "-value" | "change_1m" | "-change_1m" | "change_3m" | "-change_3m" | "change_12m" | "-change_12m" | "mean_5y" | "-mean_5y" | "mean_5y_years" | "-mean_5y_years" | "against_mean_5y" | "-against_mean_5y" | "seasonal_index" | "-seasonal_index" | "volatility_12m" | "-volatility_12m" | "ifpa_value" | "-ifpa_value" | "ifpa_quarterly" | "-ifpa_quarterly" | "ifpa_annual" | "-ifpa_annual" | "ifpa_class" | "-ifpa_class" | "ifpa_provisional" | "-ifpa_provisional" | "ifpa_weak" | "-ifpa_weak" | "alps_value" | "-alps_value" | "alps_expected" | "-alps_expected" | "alps_class" | "-alps_class" | "value_reason" | "-value_reason" | "change_1m_reason" | "-change_1m_reason" | "change_3m_reason" | "-change_3m_reason" | "change_12m_reason" | "-change_12m_reason" | "mean_5y_reason" | "-mean_5y_reason" | "against_mean_5y_reason" | "-against_mean_5y_reason" | "seasonal_index_reason" | "-seasonal_index_reason" | "volatility_12m_reason" | "-volatility_12m_reason" | "ifpa_reason" | "-ifpa_reason" | "alps_reason" | "-alps_reason" | "year" | "-year" | "n_months" | "-n_months" | "partial" | "-partial" | "ifpa" | "-ifpa")[];
                fields?: ("uuid" | "date" | "value" | "change_1m" | "change_3m" | "change_12m" | "mean_5y" | "mean_5y_years" | "against_mean_5y" | "seasonal_index" | "volatility_12m" | "ifpa" | "ifpa_value" | "ifpa_quarterly" | "ifpa_annual" | "ifpa_class" | "ifpa_provisional" | "ifpa_weak" | "alps" | "alps_value" | "alps_expected" | "alps_class" | "reasons" | "value_reason" | "change_1m_reason" | "change_3m_reason" | "change_12m_reason" | "mean_5y_reason" | "against_mean_5y_reason" | "seasonal_index_reason" | "volatility_12m_reason" | "ifpa_reason" | "alps_reason" | "year" | "n_months" | "partial")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SerieIndicators"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSerieInternational: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                status?: ("observed" | "estimated" | "forecast" | "all")[];
                as_of?: string;
                page?: number;
                page_size?: number;
                sort?: ("uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "hs_code" | "-hs_code" | "category" | "-category" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "market" | "-market" | "market_id" | "-market_id" | "market_type" | "-market_type" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2" | "latitude" | "-latitude" | "longitude" | "-longitude" | "source" | "-source" | "source_id" | "-source_id" | "currency" | "-currency" | "measure_unit" | "-measure_unit" | "measure_unit_id" | "-measure_unit_id" | "conversion_factor" | "-conversion_factor" | "regional_average" | "-regional_average" | "last_price_date" | "-last_price_date" | "daily_start" | "-daily_start" | "daily_end" | "-daily_end" | "weekly_start" | "-weekly_start" | "weekly_end" | "-weekly_end" | "weekly_calculated" | "-weekly_calculated" | "monthly_start" | "-monthly_start" | "monthly_end" | "-monthly_end" | "monthly_calculated" | "-monthly_calculated")[];
                fields?: ("uuid" | "iso3_country_code" | "country_name" | "commodity" | "commodity_id" | "hs_code" | "category" | "price_type" | "price_type_id" | "market" | "market_id" | "market_type" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "source" | "source_id" | "currency" | "measure_unit" | "measure_unit_id" | "conversion_factor" | "regional_average" | "last_price_date" | "periodicity" | "daily_start" | "daily_end" | "weekly_start" | "weekly_end" | "weekly_calculated" | "monthly_start" | "monthly_end" | "monthly_calculated" | "status")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Serie"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice: {
        parameters: {
            query?: {
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                startdate?: string;
                enddate?: string;
                latest?: number;
                as_of?: string;
                first_published?: boolean;
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                status?: ("observed" | "estimated" | "forecast" | "all")[];
                flags?: boolean;
                rate_basis?: boolean;
                index_base?: boolean;
                sort?: ("uuid" | "-uuid" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "commodity" | "-commodity" | "commodity_id" | "-commodity_id" | "hs_code" | "-hs_code" | "category" | "-category" | "price_type" | "-price_type" | "price_type_id" | "-price_type_id" | "market" | "-market" | "market_id" | "-market_id" | "market_type" | "-market_type" | "admin_unit" | "-admin_unit" | "admin_unit2" | "-admin_unit2" | "latitude" | "-latitude" | "longitude" | "-longitude" | "source" | "-source" | "source_id" | "-source_id" | "currency" | "-currency" | "measure_unit" | "-measure_unit" | "measure_unit_id" | "-measure_unit_id" | "conversion_factor" | "-conversion_factor" | "regional_average" | "-regional_average" | "last_price_date" | "-last_price_date" | "daily_start" | "-daily_start" | "daily_end" | "-daily_end" | "weekly_start" | "-weekly_start" | "weekly_end" | "-weekly_end" | "weekly_calculated" | "-weekly_calculated" | "monthly_start" | "-monthly_start" | "monthly_end" | "-monthly_end" | "monthly_calculated" | "-monthly_calculated")[];
                fields?: ("uuid" | "iso3_country_code" | "country_name" | "commodity" | "commodity_id" | "hs_code" | "category" | "price_type" | "price_type_id" | "market" | "market_id" | "market_type" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "source" | "source_id" | "currency" | "measure_unit" | "measure_unit_id" | "conversion_factor" | "regional_average" | "last_price_date" | "periodicity" | "status" | "market_code" | "market_info" | "source_url" | "source_license" | "measure_unit_dimension")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["SeriePrices"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice_uuid: {
        parameters: {
            query?: {
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                startdate?: string;
                enddate?: string;
                latest?: number;
                as_of?: string;
                first_published?: boolean;
                flags?: boolean;
                rate_basis?: boolean;
                index_base?: boolean;
                fields?: ("uuid" | "iso3_country_code" | "country_name" | "commodity" | "commodity_id" | "hs_code" | "category" | "price_type" | "price_type_id" | "market" | "market_id" | "market_type" | "admin_unit" | "admin_unit2" | "latitude" | "longitude" | "source" | "source_id" | "currency" | "measure_unit" | "measure_unit_id" | "conversion_factor" | "regional_average" | "last_price_date" | "periodicity" | "status" | "market_code" | "market_info" | "source_url" | "source_license" | "measure_unit_dimension")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeriePrices"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice_uuid_id: {
        parameters: {
            query?: {
                as_of?: string;
                first_published?: boolean;
                explain?: boolean;
            };
            header?: never;
            path: {
                uuid: string;
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Datapoint"];
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice_uuid_id_versions: {
        parameters: {
            query?: {
                sort?: ("price_value" | "-price_value" | "comment" | "-comment" | "known_from" | "-known_from" | "known_to" | "-known_to" | "first_revision" | "-first_revision" | "last_revision" | "-last_revision" | "change_set_id" | "-change_set_id" | "kind" | "-kind")[];
                fields?: ("price_value" | "comment" | "known_from" | "known_to" | "first_revision" | "last_revision" | "change_set_id" | "kind")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                uuid: string;
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PointVersion"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice_uuid_differences: {
        parameters: {
            query: {
                from: string;
                to?: string;
                sort?: ("uuid" | "-uuid" | "id" | "-id" | "periodicity" | "-periodicity" | "date" | "-date" | "action" | "-action" | "before" | "-before" | "after" | "-after" | "comment_before" | "-comment_before" | "comment_after" | "-comment_after")[];
                fields?: ("uuid" | "id" | "periodicity" | "date" | "action" | "before" | "after" | "comment_before" | "comment_after")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PointDifference"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceSeriePrice_differences: {
        parameters: {
            query: {
                from: string;
                to?: string;
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                sort?: ("uuid" | "-uuid" | "id" | "-id" | "periodicity" | "-periodicity" | "date" | "-date" | "action" | "-action" | "before" | "-before" | "after" | "-after" | "comment_before" | "-comment_before" | "comment_after" | "-comment_after")[];
                fields?: ("uuid" | "id" | "periodicity" | "date" | "action" | "before" | "after" | "comment_before" | "comment_after")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PointDifference"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceTable: {
        parameters: {
            query?: {
                measure?: "nominal" | "real" | "usd" | "real_usd";
                per?: "unit" | "base";
                periodicity?: "daily" | "weekly" | "monthly" | "quarterly" | "annual";
                aggregation?: "avg" | "eop" | "min" | "max" | "median";
                transform?: "chg" | "pch" | "pc1" | "pca" | "cch" | "log" | "index";
                base?: string;
                start_date?: string;
                end_date?: string;
                latest?: number;
                as_of?: string;
                goods?: true | false | "food";
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceTable"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceType: {
        parameters: {
            query?: {
                id?: number[];
                name?: string[];
                description?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "description" | "-description")[];
                fields?: ("id" | "name" | "description")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceType"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["PriceType"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceType_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceType"];
                };
            };
        };
    };
    get_api_v1_PriceWarning: {
        parameters: {
            query?: {
                by?: "country" | "country,category" | "country,commodity";
                month?: string;
                start_date?: string;
                end_date?: string;
                as_of?: string;
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                goods?: true | false | "food";
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "category" | "-category" | "commodity_id" | "-commodity_id" | "commodity" | "-commodity" | "month" | "-month" | "series" | "-series" | "fresh" | "-fresh" | "markets" | "-markets" | "ifpa_high" | "-ifpa_high" | "ifpa_moderate" | "-ifpa_moderate" | "ifpa_normal" | "-ifpa_normal" | "ifpa_undefined" | "-ifpa_undefined" | "alps_crisis" | "-alps_crisis" | "alps_alert" | "-alps_alert" | "alps_stress" | "-alps_stress" | "alps_normal" | "-alps_normal" | "alps_undefined" | "-alps_undefined" | "share_high" | "-share_high" | "share_alert_or_worse" | "-share_alert_or_worse" | "persistence_ifpa" | "-persistence_ifpa" | "persistence_alps" | "-persistence_alps" | "rated" | "-rated" | "high" | "-high")[];
                fields?: ("iso3_country_code" | "country_name" | "category" | "commodity_id" | "commodity" | "month" | "series" | "fresh" | "markets" | "ifpa" | "ifpa_high" | "ifpa_moderate" | "ifpa_normal" | "ifpa_undefined" | "alps" | "alps_crisis" | "alps_alert" | "alps_stress" | "alps_normal" | "alps_undefined" | "share_high" | "share_alert_or_worse" | "persistence" | "persistence_ifpa" | "persistence_alps" | "top" | "rated" | "high")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["PriceWarning"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_PriceWarningChange: {
        parameters: {
            query?: {
                by?: "country" | "country,category" | "country,commodity";
                month?: string;
                as_of?: string;
                uuid__in?: string[];
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                goods?: true | false | "food";
                page?: number;
                page_size?: number;
                sort?: ("iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "category" | "-category" | "commodity_id" | "-commodity_id" | "commodity" | "-commodity" | "month" | "-month" | "old" | "-old" | "fresh" | "-fresh" | "rated" | "-rated" | "high" | "-high" | "share" | "-share" | "rated_1m_ago" | "-rated_1m_ago" | "high_1m_ago" | "-high_1m_ago" | "share_1m_ago" | "-share_1m_ago" | "rated_12m_ago" | "-rated_12m_ago" | "high_12m_ago" | "-high_12m_ago" | "share_12m_ago" | "-share_12m_ago" | "newly_high" | "-newly_high" | "no_longer_high" | "-no_longer_high")[];
                fields?: ("iso3_country_code" | "country_name" | "category" | "commodity_id" | "commodity" | "month" | "old" | "fresh" | "rated" | "high" | "share" | "rated_1m_ago" | "high_1m_ago" | "share_1m_ago" | "rated_12m_ago" | "high_12m_ago" | "share_12m_ago" | "newly_high" | "no_longer_high" | "newly_high_commodities" | "no_longer_high_commodities")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["PriceWarningChange"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Release: {
        parameters: {
            query?: {
                iso3_country_codes?: string[];
                iso3_country_codes_ne?: string[];
                periodicity?: ("daily" | "weekly" | "monthly")[];
                start_date?: string;
                end_date?: string;
                data_from?: string;
                data_to?: string;
                newerThan?: string;
                olderThan?: string;
                price_types_ids?: number[];
                commodity_ids?: number[];
                commodity__hs_class_code?: string[];
                categories?: string[];
                sources_ids?: number[];
                market_ids?: number[];
                admin_units?: string[];
                market_types?: string[];
                market_types_ne?: string[];
                regional_average?: boolean;
                measure_units_ids?: number[];
                currencies?: string[];
                uuids?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("source_id" | "-source_id" | "source" | "-source" | "iso3_country_code" | "-iso3_country_code" | "country_name" | "-country_name" | "periodicity" | "-periodicity" | "series" | "-series" | "last_period_end" | "-last_period_end" | "last_stored" | "-last_stored" | "next_period_end" | "-next_period_end" | "next_expected" | "-next_expected" | "reason" | "-reason" | "days_late" | "-days_late" | "releases" | "-releases" | "median_lag_days" | "-median_lag_days" | "p90_lag_days" | "-p90_lag_days")[];
                fields?: ("source_id" | "source" | "iso3_country_code" | "country_name" | "periodicity" | "series" | "last_period_end" | "last_stored" | "next_period_end" | "next_expected" | "reason" | "days_late" | "releases" | "median_lag_days" | "p90_lag_days")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx" | "ics";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Release"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/calendar": string;
                };
            };
        };
    };
    get_api_v1_Source: {
        parameters: {
            query?: {
                id?: number[];
                name?: string[];
                url?: string[];
                license?: string[];
                search?: string;
                page?: number;
                page_size?: number;
                sort?: ("id" | "-id" | "name" | "-name" | "url" | "-url" | "license" | "-license")[];
                fields?: ("id" | "name" | "url" | "license")[];
                format?: "json" | "csv" | "ndjson" | "parquet" | "xlsx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"][] | {
                        /** Format: int64 */
                        count: number;
                        /** Format: uri */
                        next: string | null;
                        /** Format: uri */
                        previous: string | null;
                        results: components["schemas"]["Source"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    get_api_v1_Source_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
        };
    };
    get_api_v1_Suggest: {
        parameters: {
            query: {
                q: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
        };
    };
    get_editions_number_file: {
        parameters: {
            query?: never;
            header?: {
                Range?: string;
                "If-Range"?: string;
            };
            path: {
                number: number;
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": unknown;
                    "application/gzip": unknown;
                    "application/json": unknown;
                    "text/plain": unknown;
                };
            };
            206: {
                headers: {
                    ETag?: string;
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": unknown;
                    "application/gzip": unknown;
                    "application/json": unknown;
                    "text/plain": unknown;
                };
            };
        };
    };
    get_health_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_problems_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: "bad_request" | "invalid" | "parse_error" | "not_authenticated" | "token_not_valid" | "authentication_failed" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "duplicate" | "in_use" | "reference_missing" | "calculated" | "built_in" | "ended" | "last_admin" | "joined" | "not_comparable" | "not_held" | "not_revertible" | "edition_running" | "import_running" | "idempotency_in_progress" | "token_unknown" | "range_not_satisfiable" | "precondition_failed" | "too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_mismatch" | "precondition_required" | "throttled" | "headers_too_large" | "error" | "unavailable" | "storage_unavailable" | "newer_schema" | "outcome_unknown" | "timeout";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        code: "bad_request" | "invalid" | "parse_error" | "not_authenticated" | "token_not_valid" | "authentication_failed" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "duplicate" | "in_use" | "reference_missing" | "calculated" | "built_in" | "ended" | "last_admin" | "joined" | "not_comparable" | "not_held" | "not_revertible" | "edition_running" | "import_running" | "idempotency_in_progress" | "token_unknown" | "range_not_satisfiable" | "precondition_failed" | "too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_mismatch" | "precondition_required" | "throttled" | "headers_too_large" | "error" | "unavailable" | "storage_unavailable" | "newer_schema" | "outcome_unknown" | "timeout";
                        status: number;
                        title: string;
                        meaning: string;
                    };
                };
            };
        };
    };
}
