import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { ImportRunning, ValidationError, TooLarge } from '../platform/errors/api-error.js';
import { flag, one, required, text } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import { bodyChunks, ClientAborted } from '../platform/http/read-body.js';
import { BASE } from '../config/price-paths.js';
import { HTTP_LIMITS, type HttpLimits } from '../platform/http/options.js';
import { infoOf } from '../platform/http/request.js';
import { RequestQuery } from '../platform/http/params.js';
import { NoDeadline, OwnMediaType, RawBody } from '../platform/http/routes.js';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../platform/http/api-docs.js';
import { Environment } from '../config/environment.js';
import { ImportRejected } from './formats/batch.js';
import { InputTooLarge } from './containers/unpack.js';
import { acceptedFormats, importParameters, requestedImport, storedMappingOf } from './import.parameters.js';
import { MappingStore, readBy } from './mappings/stored/mapping-store.js';
import { ImportReport } from './pipeline/import-report.dto.js';
import { ImportProcess } from './process/import-process.js';
import { schemaOf } from '../platform/validation/field.js';

/**
 * Accepted media types. What is in a body is recognised by its bytes, so Content-Encoding may name
 * gzip as well.
 */
const IMPORT_MEDIA_TYPES = [
  'text/csv',
  'application/json',
  'application/x-ndjson',
  'application/gzip',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/tab-separated-values',
] as const;

const LARGER_FILES = 'Import larger files with the command npm run import -- FORMAT FILE.';

/** Concurrent uploads per process, as each is held in memory. Only one at a time can be stored. */
const MAX_UPLOADS = 2;

const parameters = {
  ...importParameters,
  format: required(importParameters.format, {
    detail: `format is required. It must be ${acceptedFormats.words}.`,
    allowed: acceptedFormats.allowed,
  }),
  dry_run: one(flag, 'Report what would be imported, and store nothing.'),
  input: one(text(255), 'Name of the file, for the change set.'),
};
const query = new QuerySchema(parameters);

/** Imports for maintainers without a shell on the server. */
@ApiTags('Maintenance')
@Controller(`${BASE}/Import`)
export class ImportController {
  /** Uploads being received or imported. */
  private uploads = 0;

  constructor(
    private readonly process: ImportProcess,
    private readonly mappings: MappingStore,
    private readonly environment: Environment,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
  ) {}

  /**
   * The body is received before the import lock is acquired, so that a slow client does not keep
   * others from importing. It is validated completely before its one transaction: either all valid
   * rows are stored, or none.
   */
  @Post()
  @HttpCode(200)
  @OwnMediaType()
  @NoDeadline()
  @RawBody({ types: IMPORT_MEDIA_TYPES, encodings: ['gzip'] })
  @ApiOperation({
    summary: 'Import a file',
    description:
      'The file is read and validated completely, then stored in one transaction: either everything or nothing.',
  })
  @ApiBody({ schema: { type: 'string' } })
  @ApiOkResponse({ description: 'The import report', schema: schemaOf(ImportReport) })
  @ApiProblems('import_running')
  async import(
    @RequestQuery(query) values: QueryValues<typeof parameters>,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<ImportReport> {
    const how = requestedImport(values);
    const info = infoOf(request);
    const limit = this.environment.importMaxBytes;
    const stored = await storedMappingOf(values.format, this.mappings);
    if (this.uploads >= MAX_UPLOADS) throw new ImportRunning();
    this.uploads++;
    try {
      const { uploadMs: totalMs, uploadStallMs: stallMs } = this.limits;
      const chunks = await bodyChunks(info, { limit, stallMs, totalMs });
      const size = chunks.reduce((sum, { length }) => sum + length, 0);
      const { format, dry_run: dryRun = false, input: name = '' } = values;
      const asked = { ...how, format, dryRun, caller, requestId: info.id };
      return await this.process.run(
        {
          request: stored === null ? asked : readBy(asked, stored),
          isAtomic: true,
          input: { path: null, name, size, maxBytes: limit },
        },
        { bytes: removed(chunks), signal: info.signal },
      );
    } catch (error) {
      if (error === info.signal.reason) throw new ClientAborted();
      if (error instanceof TooLarge) throw new TooLarge(limit, LARGER_FILES);
      if (error instanceof InputTooLarge) throw new TooLarge(limit, LARGER_FILES, 'The decompressed body');
      if (error instanceof ImportRejected) throw toValidationError(error);
      throw error;
    } finally {
      this.uploads--;
    }
  }
}

/** Chunks that are removed as they are read: once sent, a body takes no memory. */
function* removed(chunks: Buffer[]): Generator<Buffer> {
  chunks.reverse();
  for (let chunk; (chunk = chunks.pop()) !== undefined;) yield chunk;
}

const toValidationError = ({ message }: ImportRejected) =>
  new ValidationError([{ in: 'body', pointer: '', code: 'invalid_format', detail: message }]);
