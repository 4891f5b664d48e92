import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { CurrentCaller, type Caller } from '../common/access/caller.js';
import { ImportRunning, ValidationError, TooLarge, type Violation } from '../common/errors/api-error.js';
import { choice, flag, iso3, one, text } from '../common/filtering/parsers.js';
import { QueryShape, type QueryValues } from '../common/filtering/query-shape.js';
import { wholeBody } from '../common/http/body-reader.js';
import { BASE } from '../common/http/prefixes.js';
import { contextOf } from '../common/http/request-context.js';
import { RequestQuery } from '../common/http/request-query.js';
import { ReplyFormats, NoDeadline, RawBody } from '../common/http/route-decorators.js';
import { Environment } from '../config/environment.js';
import { ImportRejected } from './formats/batch.js';
import { importFormats } from './formats/index.js';
import type { ImportReport } from './import-report.js';
import { ImportService } from './import.service.js';
import { InputTooLarge, makeInput } from './input.js';

/** What the body may be sent as. Gzip is told by its bytes, so it may also be named as an encoding. */
export const IMPORT_TYPES = [
  'text/csv',
  'application/json',
  'application/x-ndjson',
  'application/gzip',
] as const;

/** Bytes of a body that are read at once. */
const PIECE = 64 * 1024;

/** Milliseconds an upload may stand still. */
const UPLOAD_STALL = 60_000;

/** Uploads that a process takes at a time, since it holds each of them whole: one to store, as no two are stored at once. */
const MOST_UPLOADS = { real: 1, dry: 2 };

const parameters = {
  format: one(choice(Object.keys(importFormats)), 'What the body is; required.'),
  dry_run: one(flag, 'Say what would be done, and store nothing.'),
  country: one(iso3, 'Country of a wfp input that does not say its own.'),
  source: one(text(), 'Another source of a wfp input than "World Food Programme (WFP)".'),
  period: one(
    choice(['daily', 'weekly', 'monthly'] as const),
    'What the prices of a wfp input are, where they are not dated the 15th.',
  ),
  include_forecast: one(flag, 'Store forecasts, too.'),
};
const query = new QueryShape(parameters);

const formatMissing: Violation = {
  in: 'query',
  name: 'format',
  code: 'required',
  detail: `format is required: one of ${Object.keys(importFormats).join(', ')}.`,
  allowed: Object.keys(importFormats),
};

/** Imports for maintainers who have no shell on the server. */
@Controller(`${BASE}/Import`)
export class ImportController {
  /** Uploads that are being read or imported. */
  private readonly uploads = { real: 0, dry: 0 };

  constructor(
    private readonly imports: ImportService,
    private readonly environment: Environment,
  ) {}

  /** The whole body is read and checked before its one transaction opens: all rows that can be taken are stored, or none. */
  @Post()
  @HttpCode(200)
  @ReplyFormats()
  @NoDeadline()
  @RawBody({ types: IMPORT_TYPES, encodings: ['gzip'] })
  async import(
    @RequestQuery(query) values: QueryValues<typeof parameters>,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<ImportReport> {
    if (values.format === undefined) throw new ValidationError([formatMissing]);
    const context = contextOf(request);
    const limit = this.environment.importMaxBytes;
    const tooLarge = () =>
      new TooLarge(limit, 'Larger files go through the command: npm run import -- FORMAT FILE.');
    const kind = values.dry_run ? 'dry' : 'real';
    if (this.uploads[kind] >= MOST_UPLOADS[kind]) throw new ImportRunning();
    this.uploads[kind]++;
    try {
      const body = await wholeBody(context, { limit, stallMs: UPLOAD_STALL });
      return await this.imports.importWhole(
        {
          format: values.format,
          options: {
            country: values.country,
            source: values.source,
            period: values.period,
            includeForecast: values.include_forecast,
          },
          dryRun: values.dry_run ?? false,
          caller,
          requestId: context.id,
        },
        makeInput(piecesOf(body), '', body.length, limit),
      );
    } catch (error) {
      if (error instanceof InputTooLarge || error instanceof TooLarge) throw tooLarge();
      if (error instanceof ImportRejected) throw notOfTheFormat(error);
      throw error;
    } finally {
      this.uploads[kind]--;
    }
  }
}

/** A body in pieces, between which the readers let other requests have their turn. */
async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < body.length; from += PIECE) yield body.subarray(from, from + PIECE);
}

const notOfTheFormat = ({ message }: ImportRejected) =>
  new ValidationError([{ in: 'body', pointer: '', code: 'invalid_format', detail: message }]);
