import { pandas, python, r, type Runtime } from './run-client.js';

/** The same calls in Python and R; each prints JSON. */
export interface Language {
  readonly runtime: Runtime;
  /** The name that its `User-Agent` begins with. */
  readonly agent: string;
  /** Rows of prices of maize in Aldoria, one by one. */
  readonly prices: string;
  /** The message of each error, in order, of calls with wrong input. */
  readonly errors: string;
  /** The number of records of Source. */
  readonly sources: string;
}

const PYTHON_ERRORS = `
import json, os, pricedata
def message(call):
    try: call()
    except pricedata.PriceDataError as error: return str(error)
service = pricedata.PriceData()
print(json.dumps([
    message(lambda: service.prices(country="Aldorea")),
    message(lambda: service.prices(commodity="Maze")),
    message(lambda: service.prices(mesure="usd")),
    message(lambda: service.rows("PriceWarning", page_size=0, month="x")),
    message(lambda: service.get("Nothing")),
    message(lambda: service.get("PriceSerie/00000000-0000-4000-8000-000000000000")),
]))`;

const R_ERRORS = `
source("clients/r/pricedata.R")
message <- function(call) tryCatch({ call(); "" }, error = conditionMessage)
cat(jsonlite::toJSON(c(
  message(function() prices(country = "Aldorea")),
  message(function() prices(commodity = "Maze")),
  message(function() prices(mesure = "usd")),
  message(function() rows("PriceWarning", page_size = 0, month = "x")),
  message(function() get_json("Nothing")),
  message(function() get_json("PriceSerie/00000000-0000-4000-8000-000000000000"))
)))`;

const inPython = (runtime: Runtime, rows: string): Language => ({
  runtime,
  agent: 'pricedata-python/',
  prices: `
import json, pricedata
table = pricedata.prices(country="aldoria", commodity="maize", measure="usd", per="base", latest=2)
print(json.dumps([${rows}, {name: table.attrs[name] for name in ("data_revision", "measure", "per", "sources")}]))`,
  errors: PYTHON_ERRORS,
  sources: 'import pricedata\nprint(len(pricedata.get("Source")))',
});

export const languages: readonly Language[] = [
  inPython(python, 'list(table)'),
  inPython(
    pandas,
    'json.loads(table.assign(date=table["date"].dt.strftime("%Y-%m-%d")).to_json(orient="records", double_precision=15))',
  ),
  {
    runtime: r,
    agent: 'pricedata-r/',
    prices: `
source("clients/r/pricedata.R")
table <- prices(country = "aldoria", commodity = "maize", measure = "usd", per = "base", latest = 2)
known <- attr(table, "source")
about <- lapply(known[c("data_revision", "measure", "per")], jsonlite::unbox)
cat(jsonlite::toJSON(list(table, c(about, known["sources"])), digits = NA))`,
    errors: R_ERRORS,
    sources: 'source("clients/r/pricedata.R")\ncat(length(get_json("Source")))',
  },
];
