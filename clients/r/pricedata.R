# Client of the Price Data Service. Needs the package jsonlite and the program curl.
#
#   source("pricedata.R")
#   table <- prices(country = "KEN", commodity = "Maize", measure = "usd", per = "base")
#
# Tables are data frames whose attribute "source" has the addresses that were read, the
# data_revision, and the sources with their licences. The address of the service is that of the
# environment variable PRICEDATA_URL, or of options(pricedata.url = "https://...").

pricedata <- list(
  version = "1.0.0",
  # Times that a request is sent again which is told to come back later, and the longest wait (s).
  retries = 4,
  longest_wait = 120,
  # Columns that are texts even where all their values look like numbers.
  texts = c("hs_code", "commodity", "market", "admin_unit", "admin_unit2", "source", "measure_unit",
            "comment"),
  # The filters of series by the name of a record: reference table and parameter of its ids.
  named = list(commodity = c("Commodity", "commodity_ids"), market = c("Market", "market_ids"),
               price_type = c("PriceType", "price_types_ids"), source = c("Source", "sources_ids"))
)

# Prices of all series that match, a row for each price, oldest first.
#   country: ISO 3166 code or name; commodity, market, price_type, source: a name, or what names
#   begin with ("Maize"), or an id; each may be several
#   measure: nominal, real, usd or real_usd; per: unit (as published) or base (kg or litre)
#   start, end: dates, YYYY-MM-DD; as_of: as known then: a date, an instant or a revision
#   ...: other parameters of PriceTable, such as periodicity = "weekly" or transform = "pc1"
# Prices that cannot be had as measure and per ask, for want of an exchange rate, an index or a
# unit's factor, have no row, nor has a month that is not over. All prices of a series are
# rows("PriceSeriePrice/UUID"), where `partial` tells such a month. More than 500 series are an
# error that says so.
prices <- function(country = NULL, commodity = NULL, market = NULL, price_type = NULL,
                   source = NULL, measure = "nominal", per = "unit", start = NULL, end = NULL,
                   as_of = NULL, ...) {
  query <- c(
    pd_filters(country, list(commodity = commodity, market = market, price_type = price_type,
                             source = source)),
    list(measure = measure, per = per, start_date = start, end_date = end, as_of = as_of, ...)
  )
  reply <- pd_request("PriceTable", query)
  table <- jsonlite::fromJSON(reply$text, simplifyVector = FALSE)
  columns <- lapply(seq_along(table$columns), function(index) pd_tidy(table, index))
  rows <- if (length(columns) == 0) pd_tidy(NULL, 0) else do.call(rbind, columns)
  pd_attributes(rows, reply, list(measure = measure, per = per, as_of = as_of))
}

# All rows of a list, with the columns of its CSV: rows("PriceWarning", by = "country").
rows <- function(address, ...) {
  reply <- pd_request(address, list(..., format = "csv"))
  lines <- utils::read.csv(text = reply$text, colClasses = "character", check.names = FALSE,
                           na.strings = "", encoding = "UTF-8")
  for (name in names(lines)) lines[[name]] <- pd_typed(name, lines[[name]])
  pd_attributes(lines, reply)
}

# The JSON of an address, as lists: get_json("PriceSerieIndicator/UUID", latest = 1).
get_json <- function(address, ...) {
  jsonlite::fromJSON(pd_request(address, list(...))$text, simplifyVector = FALSE)
}

# Writes a list to a file, in the format of its name: .csv, .ndjson, .parquet or .xlsx.
save_list <- function(file, address, ...) {
  format <- tolower(tools::file_ext(file))
  invisible(file.copy(pd_request(address, list(..., format = format))$file, file, overwrite = TRUE))
}

# The parameters of the API for names of countries and records.
pd_filters <- function(country, names) {
  filters <- list()
  if (!is.null(country)) filters$iso3_country_codes <- vapply(country, pd_country, "")
  for (name in names(names)) {
    if (is.null(names[[name]])) next
    known <- pricedata$named[[name]]
    filters[[known[2]]] <- sort(unique(unlist(lapply(names[[name]], pd_ids, what = name,
                                                     table = known[1]))))
  }
  filters
}

pd_country <- function(value) {
  if (grepl("^[A-Z]{3}$", value)) return(value)
  known <- get_json("Country", page_size = 1000)$results
  for (country in known) {
    if (tolower(value) %in% tolower(c(country$country_name, country$iso3_country_code)))
      return(country$iso3_country_code)
  }
  pd_unknown("country", value, vapply(known, function(country) country$country_name, ""))
}

pd_ids <- function(value, what, table) {
  if (is.numeric(value)) return(value)
  found <- get_json(table, search = value)
  ids <- vapply(found, function(record) as.numeric(record$id), 0)
  exact <- vapply(found, function(record) tolower(record$name) == tolower(value), TRUE)
  if (any(exact)) return(ids[exact])
  if (length(ids) > 0) return(ids)
  pd_unknown(what, value, vapply(get_json(table), function(record) record$name, ""))
}

pd_unknown <- function(what, value, names) {
  near <- agrep(value, names, max.distance = 0.3, value = TRUE, ignore.case = TRUE)
  hint <- if (length(near) > 0) paste0(" Did you mean ", paste(head(near, 3), collapse = " or "), "?")
  stop("There is no ", what, " '", value, "'.", hint, call. = FALSE)
}

# The rows of one column of a table, oldest first; of none, a table without rows.
pd_tidy <- function(table, index) {
  column <- if (is.null(table)) list() else table$columns[[index]]
  values <- rev(lapply(table$values, function(row) row[[index]]))
  given <- !vapply(values, is.null, TRUE)
  # What values are in ends the label: "... RETAIL · USD/kg", and a part of the uuid may follow.
  parts <- strsplit(c(column$label, "")[1], " \u00b7 ", fixed = TRUE)[[1]]
  money <- tail(c("/", parts[grepl("/", parts, fixed = TRUE)]), 1)
  text <- function(value) rep(c(value, "")[1], sum(given))
  data.frame(
    date = as.Date(vapply(rev(table$dates)[given], identity, "")),
    value = vapply(values[given], as.numeric, 0),
    uuid = text(column$uuid),
    iso3_country_code = text(column$iso3_country_code),
    country = text(column$country_name),
    admin_unit = text(column$admin_unit),
    market = text(column$market),
    commodity = text(column$commodity),
    price_type = text(column$price_type),
    source = text(column$source),
    currency = text(sub("/.*", "", money)),
    unit = text(sub("^[^/]*/", "", money))
  )
}

# A column of CSV as numbers, flags, dates or texts.
pd_typed <- function(name, values) {
  given <- values[!is.na(values)]
  if (name == "date" || endsWith(name, "_date")) return(as.Date(values))
  if (!(name %in% pricedata$texts) && length(given) > 0 &&
      all(grepl("^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$", given)))
    return(as.numeric(values))
  if (length(given) > 0 && all(given %in% c("true", "false"))) return(values == "true")
  # The service puts ' before what a spreadsheet would take for a formula.
  sub("^'", "", values)
}

# What a table is made of: address, revision, and the sources with their licences.
pd_attributes <- function(table, reply, more = list()) {
  sources <- jsonlite::fromJSON(pd_request("Source", list())$text)
  attr(table, "source") <- c(list(url = reply$url, data_revision = reply$data_revision,
                                  sources = sources), more)
  table
}

# Sends a request, again where the service says when to come back, and stops with its problem
# details otherwise. Gives the text, the file that has it, the address and the data_revision.
pd_request <- function(address, query) {
  base <- getOption("pricedata.url", Sys.getenv("PRICEDATA_URL", "http://127.0.0.1:3000"))
  url <- paste0(sub("/$", "", base), "/api/v1/", address, pd_query(query))
  for (attempt in 0:pricedata$retries) {
    reply <- pd_send(url)
    if (reply$status < 300) return(reply)
    wait <- pd_wait(reply$headers[["retry-after"]], attempt)
    if (!(reply$status %in% c(429, 503)) || attempt == pricedata$retries ||
        wait > pricedata$longest_wait) break
    Sys.sleep(wait)
  }
  problem <- tryCatch(jsonlite::fromJSON(reply$text, simplifyVector = FALSE),
                      error = function(error) list())
  details <- vapply(problem$errors, function(one) one$detail, "")
  text <- paste(c(if (length(details) > 0) details else problem$detail), collapse = " ")
  stop(reply$status, " ", problem$code, ": ", text, call. = FALSE)
}

pd_query <- function(query) {
  query <- query[!vapply(query, is.null, TRUE)]
  if (length(query) == 0) return("")
  text <- function(value) {
    if (is.logical(value)) value <- tolower(value)
    if (is.numeric(value)) value <- format(value, scientific = FALSE, trim = TRUE, digits = 15)
    paste(vapply(as.character(value), utils::URLencode, "", reserved = TRUE), collapse = ",")
  }
  paste0("?", paste0(names(query), "=", vapply(query, text, ""), collapse = "&"))
}

# How long to wait, in seconds: as the service says, else 1, 2, 4 ...
pd_wait <- function(retry_after, attempt) {
  if (is.null(retry_after)) return(2^attempt)
  if (grepl("^[0-9]+$", retry_after)) return(as.numeric(retry_after))
  date <- as.POSIXct(retry_after, format = "%a, %d %b %Y %H:%M:%S", tz = "UTC")
  max(0, as.numeric(difftime(date, Sys.time(), units = "secs")))
}

# One request by curl: base R does not give the body of an error.
pd_send <- function(url) {
  body <- tempfile()
  head <- tempfile()
  agent <- paste0("pricedata-r/", pricedata$version)
  failed <- suppressWarnings(system2("curl", c("--silent", "--show-error", "--compressed",
    "--max-time", "120", "--user-agent", shQuote(agent), "--dump-header", shQuote(head),
    "--output", shQuote(body), shQuote(url)), stdout = FALSE, stderr = FALSE))
  if (failed != 0) stop("No whole reply from ", url, " (curl ", failed, ")", call. = FALSE)
  # Those of the last reply: before it, a proxy may have sent headers of its own.
  lines <- readLines(head, warn = FALSE)
  lines <- lines[seq(max(grep("^HTTP/", lines)), length(lines))]
  status <- as.numeric(sub("^\\S+ (\\d+).*", "\\1", lines[1]))
  lines <- grep(":", lines[-1], fixed = TRUE, value = TRUE)
  headers <- as.list(trimws(sub("^[^:]*:", "", lines)))
  names(headers) <- tolower(sub(":.*", "", lines))
  text <- if (file.exists(body)) readChar(body, file.size(body), useBytes = TRUE) else ""
  Encoding(text) <- "UTF-8"
  list(status = status, headers = headers, text = text, file = body, url = url,
       data_revision = as.numeric(c(headers[["data-revision"]], NA)[1]))
}
