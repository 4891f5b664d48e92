"""Client of the Price Data Service, in one file, with the standard library alone.

    import pricedata

    table = pricedata.prices(country="KEN", commodity="Maize", measure="usd", per="base")

Tables are pandas data frames where pandas is installed, else lists of dicts; both have `attrs`
with the addresses that were read, the `data_revision`, and the sources with their licences.
The address of the service is that of `PRICEDATA_URL`, or `PriceData("https://…")`.
"""

from __future__ import annotations

import csv
import difflib
import email.utils
import gzip
import hashlib
import http.client
import io
import json
import os
import re
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

try:
    import pandas
except ImportError:
    pandas = None

__version__ = "1.0.0"
__all__ = ["PriceData", "PriceDataError", "Rows", "get", "prices", "rows", "save"]

DEFAULT_URL = "http://127.0.0.1:3000"
USER_AGENT = f"pricedata-python/{__version__}"
#: Statuses that pass: too many requests, and unavailable.
RETRIED = (429, 503)
#: Columns that are texts even where all their values look like numbers.
TEXTS = {"hs_code", "commodity", "market", "admin_unit", "admin_unit2", "source", "measure_unit", "comment"}
#: The columns of `prices()`.
COLUMNS = [
    *("date", "value", "uuid", "iso3_country_code", "country", "admin_unit", "market", "commodity"),
    *("price_type", "source", "currency", "unit"),
]
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
#: The filters of series by the name of a record: reference table and parameter of its ids.
NAMED = {
    "commodity": ("Commodity", "commodity_ids"),
    "market": ("Market", "market_ids"),
    "price_type": ("PriceType", "price_types_ids"),
    "source": ("Source", "sources_ids"),
}


class PriceDataError(Exception):
    """The service has rejected a request, or could not be reached.

    `status` and `code` are those of its problem details, 0 and "" where it did not reply; `errors`
    lists each violation with the parameter's name.
    """

    def __init__(self, message: str, status: int = 0, code: str = "", errors: list | None = None):
        super().__init__(message)
        self.status = status
        self.code = code
        self.errors = errors or []


class Rows(list):
    """Rows as dicts, for where pandas is not installed. `attrs` is as that of a data frame."""

    def __init__(self, rows: Any = (), attrs: dict | None = None):
        super().__init__(rows)
        self.attrs = attrs or {}


class DiskCache:
    """Replies with their ETags in a folder; the oldest are removed beyond `limit` bytes."""

    def __init__(self, folder: Path, limit: int = 500_000_000):
        self.folder = folder
        self.limit = limit

    def read(self, url: str) -> tuple[dict, bytes] | None:
        """The headers and the body of a reply; None if there is none, or it is damaged."""
        try:
            head, _, body = self._file(url).read_bytes().partition(b"\n")
            headers = json.loads(head)
            intact = headers["url"] == url and headers["sha256"] == hashlib.sha256(body).hexdigest()
            return (headers, body) if intact else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, url: str, headers: dict, body: bytes) -> None:
        """Keeps a reply. A folder that cannot be written is no error: the cache only saves time."""
        head = {**headers, "url": url, "sha256": hashlib.sha256(body).hexdigest()}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(json.dumps(head).encode() + b"\n" + body)
                os.replace(name, self._file(url))
            except BaseException:
                os.unlink(name)
                raise
            self._shrink()
        except OSError:
            pass

    def _file(self, url: str) -> Path:
        return self.folder / f"{hashlib.sha256(url.encode()).hexdigest()}.reply"

    def _shrink(self) -> None:
        files = sorted((each.stat().st_mtime, each.stat().st_size, each) for each in self.folder.glob("*.reply"))
        size = sum(bytes_ for _, bytes_, _ in files)
        for _, bytes_, file in files:
            if size <= self.limit:
                return
            file.unlink(missing_ok=True)
            size -= bytes_


class PriceData:
    """A service at an address.

    `cache` is the folder of replies, which are asked for again by their ETag; None for no cache.
    `timeout` is in seconds, and so is `longest_wait`, for which a request that is told to come
    back later (429, 503) waits at most, up to `retries` times.
    """

    def __init__(
        self,
        url: str | None = None,
        cache: str | os.PathLike | None = "",
        user_agent: str = USER_AGENT,
        timeout: float = 120,
        retries: int = 4,
        longest_wait: float = 120,
    ):
        self.url = (url or os.environ.get("PRICEDATA_URL") or DEFAULT_URL).rstrip("/")
        default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pricedata"
        self.cache = None if cache is None else DiskCache(Path(cache) if cache else default)
        self.user_agent = user_agent
        self.timeout = timeout
        self.retries = retries
        self.longest_wait = longest_wait

    def prices(
        self,
        country: Any = None,
        commodity: Any = None,
        market: Any = None,
        price_type: Any = None,
        source: Any = None,
        measure: str = "nominal",
        per: str = "unit",
        start: str | None = None,
        end: str | None = None,
        as_of: str | None = None,
        **parameters: Any,
    ) -> Any:
        """Prices of all series that match, a row for each price, oldest first.

        country -- ISO 3166 code or name; commodity, market, price_type, source -- a name, or what
        names begin with ("Maize"), or an id. Each may be a list.
        measure -- nominal, real, usd or real_usd; per -- unit (as published) or base (kg or litre)
        start, end -- dates, YYYY-MM-DD; as_of -- as known then: a date, an instant or a revision
        parameters -- others of PriceTable, such as periodicity="weekly" or transform="pc1"

        Prices that cannot be had as `measure` and `per` ask, for want of an exchange rate, an index
        or a unit's factor, have no row, nor has a month that is not over. All prices of a series
        are rows("PriceSeriePrice/UUID"), where `partial` tells such a month.
        """
        query = {
            **self._filters(country=country, commodity=commodity, market=market, price_type=price_type, source=source),
            "measure": measure,
            "per": per,
            "start_date": start,
            "end_date": end,
            "as_of": as_of,
            **parameters,
        }
        tables = self._tables(query)
        attrs = self._attributes([attributes for _, attributes in tables])
        attrs.update(measure=measure, per=per, as_of=as_of)
        return _table([row for table, _ in tables for row in _tidy(table)], attrs, COLUMNS)

    def rows(self, address: str, **parameters: Any) -> Any:
        """All rows of a list, such as rows("PriceWarning", by="country"), with the columns of CSV."""
        body, attributes = self._request(address, {**parameters, "format": "csv"})
        reader = csv.reader(io.StringIO(body.decode("utf-8"), newline=""))
        header = next(reader, [])
        lines = list(reader)
        columns = [_typed(name, [line[index] for line in lines]) for index, name in enumerate(header)]
        attrs = self._attributes([attributes])
        if pandas is None:
            return Rows((dict(zip(header, line)) for line in zip(*columns)), attrs)
        return _table(dict(zip(header, columns)), attrs, header)

    def get(self, address: str, **parameters: Any) -> Any:
        """The JSON of an address: get("PriceSerieIndicator/UUID", latest=1, explain=True)."""
        return json.loads(self._request(address, parameters)[0])

    def save(self, file: str | os.PathLike, address: str, **parameters: Any) -> Path:
        """Writes a list to a file, in the format of its name: .csv, .ndjson, .parquet or .xlsx."""
        path = Path(file)
        query = {"format": path.suffix.lstrip(".").lower(), **parameters}
        path.write_bytes(self._request(address, query)[0])
        return path

    def _tables(self, query: dict) -> list[tuple[dict, dict]]:
        """One table, or several of one state of the data, where there are too many series for one."""
        try:
            body, attributes = self._request("PriceTable", query)
            return [(json.loads(body), attributes)]
        except PriceDataError as error:
            if not any(one.get("code") == "too_many_items" and one.get("max") == 500 for one in error.errors):
                raise
        outside = ("measure", "per", "start_date", "end_date", "transform", "base", "aggregation", "latest", "goods")
        selection = {name: value for name, value in query.items() if name not in (*outside, "periodicity")}
        body, attributes = self._request("PriceSerie", {**selection, "format": "csv"})
        state = query["as_of"] or f"r{attributes['data_revision']}"
        uuids = [row["uuid"] for row in csv.DictReader(io.StringIO(body.decode("utf-8"), newline=""))]
        chosen = {name: query[name] for name in (*outside, "periodicity") if name in query}
        replies = [
            self._request("PriceTable", {**chosen, "as_of": state, "uuids": uuids[first : first + 400]})
            for first in range(0, len(uuids), 400)
        ]
        return [(json.loads(body), attributes) for body, attributes in replies]

    def _filters(self, country: Any, **names: Any) -> dict:
        """The parameters of the API for names of countries and records."""
        filters: dict = {}
        if country is not None:
            filters["iso3_country_codes"] = [self._country(each) for each in _listed(country)]
        for name, value in names.items():
            if value is None:
                continue
            table, parameter = NAMED[name]
            filters[parameter] = sorted({id for each in _listed(value) for id in self._ids(name, table, each)})
        return filters

    def _country(self, value: str) -> str:
        if re.fullmatch(r"[A-Z]{3}", value):
            return value
        countries = self.get("Country", page_size=1000)["results"]
        for country in countries:
            if value.casefold() in (country["country_name"].casefold(), country["iso3_country_code"].casefold()):
                return country["iso3_country_code"]
        raise _unknown("country", value, [country["country_name"] for country in countries])

    def _ids(self, name: str, table: str, value: Any) -> list[int]:
        if isinstance(value, int):
            return [value]
        found = self.get(table, search=value)
        exact = [record["id"] for record in found if record["name"].casefold() == value.casefold()]
        if exact or found:
            return exact or [record["id"] for record in found]
        raise _unknown(name, value, [record["name"] for record in self.get(table)])

    def _attributes(self, replies: list[dict]) -> dict:
        """What a table is made of: addresses, revision, and the sources with their licences."""
        return {
            "urls": [reply["url"] for reply in replies],
            "data_revision": replies[0]["data_revision"],
            "sources": self.get("Source"),
        }

    def _request(self, address: str, parameters: dict) -> tuple[bytes, dict]:
        """The body of a reply, and its address and revision."""
        query = urllib.parse.urlencode(
            {name: _text(value) for name, value in parameters.items() if value is not None}, safe=","
        )
        url = f"{self.url}/api/v1/{address.strip('/')}{'?' if query else ''}{query}"
        cached = self.cache.read(url) if self.cache else None
        status, headers, body = self._send(url, cached[0].get("etag") if cached else None)
        if status == 304 and cached:
            headers, body = cached
        elif self.cache and headers.get("etag"):
            kept = {name: headers[name] for name in ("etag", "data-revision") if name in headers}
            self.cache.write(url, kept, body)
        revision = headers.get("data-revision")
        return body, {"url": url, "data_revision": None if revision is None else int(revision)}

    def _send(self, url: str, etag: str | None) -> tuple[int, dict, bytes]:
        request = urllib.request.Request(url, headers={"User-Agent": self.user_agent, "Accept-Encoding": "gzip"})
        if etag is not None:
            request.add_header("If-None-Match", etag)
        for attempt in range(self.retries + 1):
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as reply:
                    return reply.status, _lower(reply.headers), _body(reply)
            except urllib.error.HTTPError as error:
                if error.code == 304:
                    return 304, _lower(error.headers), b""
                wait = _seconds(error.headers.get("Retry-After"), attempt)
                if error.code not in RETRIED or attempt == self.retries or wait > self.longest_wait:
                    raise _problem(error) from None
                time.sleep(wait)
            except (OSError, EOFError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                raise PriceDataError(f"No whole reply from {self.url}: {reason}") from None
        raise AssertionError("unreachable")


def _listed(value: Any) -> list:
    return list(value) if isinstance(value, (list, tuple, set)) else [value]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(_text, value)) if isinstance(value, (list, tuple, set)) else str(value)


def _lower(headers: Any) -> dict:
    return {name.lower(): value for name, value in headers.items()}


def _body(reply: Any) -> bytes:
    body = reply.read()
    return gzip.decompress(body) if reply.headers.get("Content-Encoding") == "gzip" else body


def _seconds(retry_after: str | None, attempt: int) -> float:
    """How long to wait: as the service says (seconds, or a date), else 1, 2, 4 … seconds."""
    if retry_after is not None and retry_after.strip().isdigit():
        return float(retry_after)
    date = email.utils.parsedate_tz(retry_after or "")
    return 2.0**attempt if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())


def _problem(error: urllib.error.HTTPError) -> PriceDataError:
    """The problem details of a reply as an exception, which names each wrong parameter."""
    try:
        problem = json.loads(_body(error))
        violations = problem.get("errors", [])
        detail = " ".join(one["detail"] for one in violations) or problem["detail"]
        return PriceDataError(f"{error.code} {problem['code']}: {detail}", error.code, problem["code"], violations)
    except (ValueError, KeyError, TypeError, OSError):
        return PriceDataError(f"{error.code} {error.reason}", error.code)


def _unknown(what: str, value: str, names: list[str]) -> PriceDataError:
    # "Maze" is near to "Maize (white)" by the part before the parenthesis.
    known = {part.casefold(): name for name in reversed(names) for part in (name, name.split(" (")[0])}
    near = [known[key] for key in difflib.get_close_matches(value.casefold(), known, n=3)]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return PriceDataError(f"There is no {what} {value!r}.{hint}", 404, "not_found")


def _tidy(table: dict) -> list[dict]:
    """A row for each value of a table of series, by series, oldest first."""
    result = []
    for index, column in enumerate(table["columns"]):
        # What values are in ends the label: "… · RETAIL · USD/kg", and a part of the uuid may follow.
        money = next(part for part in reversed(column["label"].split(" · ")) if "/" in part)
        currency, unit = money.split("/", 1)
        series = {
            "uuid": column["uuid"],
            "iso3_country_code": column["iso3_country_code"],
            "country": column["country_name"],
            "admin_unit": column["admin_unit"],
            "market": column["market"],
            "commodity": column["commodity"],
            "price_type": column["price_type"],
            "source": column["source"],
            "currency": currency,
            "unit": unit,
        }
        for date, values in zip(reversed(table["dates"]), reversed(table["values"])):
            if values[index] is not None:
                result.append({"date": date, "value": values[index], **series})
    return result


def _typed(name: str, values: list[str]) -> list:
    """The values of a column of CSV: numbers and flags as such, None where there is none."""
    given = [value for value in values if value != ""]
    if name not in TEXTS and given and all(NUMBER.fullmatch(value) for value in given):
        number = int if all(re.fullmatch(r"-?\d+", value) for value in given) else float
        return [None if value == "" else number(value) for value in values]
    if given and all(value in ("true", "false") for value in given):
        return [None if value == "" else value == "true" for value in values]
    # The service puts ' before what a spreadsheet would take for a formula.
    return [None if value == "" else value.removeprefix("'") for value in values]


def _table(rows: Any, attrs: dict, columns: list[str] | None = None) -> Any:
    if pandas is None:
        return Rows(rows, attrs)
    frame = pandas.DataFrame(rows, columns=columns)
    for name in frame.columns:
        if name == "date" or name.endswith("_date"):
            frame[name] = pandas.to_datetime(frame[name])
    frame.attrs.update(attrs)
    return frame


def prices(**parameters: Any) -> Any:
    """`PriceData().prices()`: prices of the service at `PRICEDATA_URL`."""
    return PriceData().prices(**parameters)


def rows(address: str, **parameters: Any) -> Any:
    """`PriceData().rows()`: all rows of a list."""
    return PriceData().rows(address, **parameters)


def get(address: str, **parameters: Any) -> Any:
    """`PriceData().get()`: the JSON of an address."""
    return PriceData().get(address, **parameters)


def save(file: str | os.PathLike, address: str, **parameters: Any) -> Path:
    """`PriceData().save()`: a list as a file."""
    return PriceData().save(file, address, **parameters)
