import { Controller, Delete, Get, Param, Post, Put, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../../config/price-paths.js';
import { Idempotency, idempotencyKey } from '../../../idempotency/idempotency.js';
import { ChangeReason } from '../../../ledger/changes/change-reason.js';
import { Duplicate, ValidationError } from '../../../platform/errors/api-error.js';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
  ETAG_HEADER,
  LOCATION_HEADER,
} from '../../../platform/http/api-docs.js';
import { accountKey, callerOf } from '../../../platform/http/caller.js';
import { preconditions } from '../../../platform/http/etag.js';
import { bodyParameter, type ParsedQuery, RequestQuery, wholeQuery } from '../../../platform/http/params.js';
import { Reply } from '../../../platform/http/reply.js';
import { infoOf } from '../../../platform/http/request.js';
import { CacheControl, ListFormats } from '../../../platform/http/routes.js';
import { absoluteUrl } from '../../../platform/listing/links.js';
import { requestedList } from '../../../platform/listing/page.js';
import { PaginationInterceptor } from '../../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../../platform/listing/record-listing.js';
import { schemaOf } from '../../../platform/validation/field.js';
import { ParseError, parseId } from '../../../platform/validation/parsers.js';
import { bodyViolation } from '../../../platform/validation/validate-body.js';
import type { Author } from '../../../reference/base/base-reference.service.js';
import { Mapping, validateMapping } from '../mapping.js';
import {
  mappingColumns,
  MappingEntry,
  mappingListQuery,
  MappingRecord,
  mappingVersionColumns,
  MappingVersionEntry,
  mappingVersionsQuery,
  storedEntry,
} from './mapping-record.js';
import type { StoredMapping } from './mapping-store.js';
import { mappingChangeSet, MappingNameTakenError, MappingsService, mappingTag } from './mappings.service.js';

/** The reply to a write: its mapping is the one that was sent. */
const entryReply = (stored: StoredMapping, options: Reply['options'] = {}) =>
  Reply.json(storedEntry(stored), { ...options, etag: mappingTag(stored) });

const entry = { description: 'The mapping', schema: schemaOf(MappingEntry), headers: ETAG_HEADER };
const record = { description: 'The mapping', schema: schemaOf(MappingRecord), headers: ETAG_HEADER };

/** A mapping as an example of bodies. */
const example = {
  name: 'mali-oma',
  table: 'prices',
  dialect: { delimiter: ';' },
  fields: {
    iso3_country_code: { value: 'MLI' },
    market: { column: 'Marché' },
    commodity: { column: 'Produit' },
    measure_unit: { value: 'kg' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'OMA' },
    date: { column: 'Mois', format: '%B %Y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { column: 'Prix', decimalChar: ',' },
  },
};

/** The body of a write as a mapping, validated as that of `--mapping FILE` is. */
const MappingBody = bodyParameter((body, { request, violations }): Mapping => {
  const found = validateMapping(body);
  const all = [...violations, ...('violations' in found ? found.violations : [])];
  const { name } = request.params;
  if ('value' in found && name !== undefined && found.value.name !== name)
    all.push(bodyViolation('name', new ParseError('id_mismatch', 'must be the name in the address.')));
  if (all.length > 0 || !('value' in found)) throw new ValidationError(all);
  return found.value;
});

/** Import formats that are data: mappings that are stored, and those of the service. */
@ApiTags('Maintenance')
@Controller(`${BASE}/Mapping`)
export class MappingsController {
  constructor(
    private readonly mappings: MappingsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @CacheControl('revalidate')
  @ListFormats()
  @ApiOperation({ summary: 'List mappings' })
  @ApiOkResponse({
    description: 'A page of mappings, ordered by name, without what they say',
    schema: envelopeOf(schemaOf(MappingEntry)),
  })
  async list(
    @RequestQuery(mappingListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof mappingListQuery.parameters>,
  ) {
    const entries = await this.mappings.list(values);
    return RecordListing.pageOf(mappingColumns, entries, requestedList(values, format));
  }

  @Get(':name')
  @CacheControl('revalidate')
  @ApiOperation({ summary: 'Read a mapping' })
  @ApiOkResponse(record)
  async read(@Param('name') name: string) {
    const found = await this.mappings.read(name);
    // Those of the service have no version: their tag is a digest.
    return Reply.json(found, found.version === null ? {} : { etag: String(found.version) });
  }

  @Get(':name/versions')
  @UseInterceptors(PaginationInterceptor)
  @CacheControl('revalidate')
  @ListFormats()
  @ApiOperation({ summary: 'List the versions of a mapping' })
  @ApiOkResponse({
    description: 'A page of versions, newest first; also of a mapping that was removed',
    schema: envelopeOf(schemaOf(MappingVersionEntry)),
  })
  async versions(
    @Param('name') name: string,
    @RequestQuery(mappingVersionsQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof mappingVersionsQuery.parameters>,
  ) {
    const entries = await this.mappings.versions(name);
    return RecordListing.pageOf(mappingVersionColumns, entries, requestedList(values, format));
  }

  @Get(':name/versions/:version')
  @CacheControl('revalidate')
  @ApiOperation({ summary: 'Read a version of a mapping' })
  @ApiOkResponse({ description: 'The mapping as it was saved', schema: schemaOf(MappingRecord) })
  version(@Param('name') name: string, @Param('version') version: string) {
    return this.mappings.version(name, parseId(version));
  }

  @Post()
  @ApiOperation({ summary: 'Store a mapping' })
  @ApiBody({ schema: schemaOf(Mapping), example })
  @ApiCreatedResponse({ ...entry, headers: { ...entry.headers, ...LOCATION_HEADER } })
  @ApiIdempotencyKey()
  @ApiProblems('built_in', 'duplicate')
  async create(
    @MappingBody mapping: Mapping,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    const author = authorOf(request, reason);
    const address = (name: string) => absoluteUrl(infoOf(request), `/${BASE}/Mapping/${name}/`);
    try {
      return await this.idempotency.once(
        {
          key: idempotencyKey(request.headers),
          account: accountKey(author.caller!),
          path: `/${BASE}/Mapping/`,
          body: mapping,
          changeSet: mappingChangeSet(author, mapping.name),
          deadline: author.deadline,
        },
        async (transaction) => {
          const stored = await this.mappings.create(transaction, mapping, author);
          return entryReply(stored, { status: 201, headers: { Location: address(stored.name) } });
        },
      );
    } catch (error) {
      if (!(error instanceof MappingNameTakenError)) throw error;
      throw new Duplicate(['name'], address(error.mappingName));
    }
  }

  @Put(':name')
  @ApiOperation({ summary: 'Replace a mapping' })
  @ApiIfMatch()
  @ApiBody({ schema: schemaOf(Mapping), example })
  @ApiOkResponse(entry)
  @ApiProblems('built_in')
  async replace(
    @MappingBody mapping: Mapping,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    const author = authorOf(request, reason);
    return entryReply(await this.mappings.replace(mapping, preconditions(request), author));
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Remove a mapping' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'Removed; its versions stay readable' })
  @ApiProblems('built_in')
  async remove(@Param('name') name: string, @Req() request: IncomingMessage, @ChangeReason() reason: string) {
    await this.mappings.remove(name, preconditions(request), authorOf(request, reason));
    return Reply.empty();
  }
}

function authorOf(request: IncomingMessage, reason: string): Author {
  const { id, commitDeadline } = infoOf(request);
  return { caller: callerOf(request), requestId: id, reason, deadline: commitDeadline };
}
