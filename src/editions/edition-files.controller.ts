import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { resolve } from 'node:path';
import { ApiError, NotFound } from '../platform/errors/api-error.js';
import { infoOf } from '../platform/http/request.js';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiPartialContentResponse,
  ApiProblems,
  ApiTags,
  ETAG_HEADER,
} from '../platform/http/api-docs.js';
import { OwnMediaType } from '../platform/http/routes.js';
import { parseId } from '../platform/validation/parsers.js';
import { Editions } from './editions.js';

/** Media types of the files; Express does not know all of them. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  parquet: 'application/vnd.apache.parquet',
  gz: 'application/gzip',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** The files as the API description has them, by media type. */
const CONTENT = Object.fromEntries(
  Object.values(MEDIA_TYPES).map((type) => [type.split(';')[0]!, { schema: {} }]),
);
const RANGE_HEADER = { 'Content-Range': { schema: { type: 'string' } } };

/** The files of editions, with ranges: a reader of Parquet asks for the parts that it needs. */
@ApiTags('Editions')
@Controller('editions')
export class EditionFilesController {
  constructor(private readonly editions: Editions) {}

  @Get(':number/:file')
  @OwnMediaType()
  @ApiOperation({
    summary: 'Read a file of an edition',
    description: 'Single ranges of bytes are 206. The entity tag is the digest of the file.',
  })
  @ApiHeader({ name: 'Range', description: 'The part to send, such as `bytes=0-99` or `bytes=-8`.' })
  @ApiHeader({ name: 'If-Range', description: 'A part is sent only if the file still has this tag.' })
  @ApiOkResponse({ description: 'The file', content: CONTENT, headers: ETAG_HEADER })
  @ApiPartialContentResponse({
    description: 'A part of the file',
    content: CONTENT,
    headers: { ...ETAG_HEADER, ...RANGE_HEADER },
  })
  @ApiProblems('precondition_failed', 'range_not_satisfiable')
  async file(
    @Param('number') text: string,
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const number = parseId(text);
    // Read anew each time: where a backup is restored, an edition has other files.
    const { files } = await this.editions.read(number);
    if (files === null) throw new NotFound('The edition is not ready.');
    const file = files.find((each) => each.name === name);
    if (file === undefined) throw new NotFound('The edition has no such file.');
    const info = infoOf(request);
    // Sending takes as long as the client takes, and hardly any work.
    info.permit.release();
    const tag = `"${file.sha256}"`;
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': MEDIA_TYPES[name.split('.').at(-1)!] ?? PLAIN_TEXT,
      ETag: tag,
    });
    // RFC 9110, 13.1.5: only the strong tag itself matches. Express takes one that contains it.
    const { 'if-range': ifRange } = request.headers;
    if (ifRange !== undefined && ifRange !== tag) delete request.headers.range;
    request.headers.range = satisfiableRange(request.headers.range, file.bytes);
    const root = resolve(this.editions.folderOf(number));
    const options = { root, cacheControl: false, lastModified: false };
    await new Promise<void>((done, fail) =>
      response.sendFile(file.name, options, (error?: Error) => {
        if (error === undefined || info.isAborted) done();
        else fail(toApiError(error, response, file.bytes));
      }),
    );
  }
}

/**
 * The range of a request as Express is to see it. It takes two for past the end that RFC 9110
 * (14.1.1 and 14.1.2) does not: a suffix longer than the file is all of it, and a range that ends
 * before it begins is not valid, so that it is left out.
 */
function satisfiableRange(range: string | undefined, bytes: number): string | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === '' && Number(last) > bytes) return 'bytes=0-';
  return first !== '' && last !== '' && Number(last) < Number(first) ? undefined : range;
}

/** An error of Express's as one of ours; its headers are removed again. */
function toApiError(error: Error & { status?: number }, response: Response, bytes: number): Error {
  for (const name of ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Type']) response.removeHeader(name);
  if (error.status === 416)
    return new ApiError('range_not_satisfiable', `The file has ${bytes} bytes.`, {
      headers: { 'Content-Range': `bytes */${bytes}` },
    });
  if (error.status === 412) return new ApiError('precondition_failed', 'The file has another entity tag.');
  if (error.status === 404) return new NotFound('The file is not in the folder of editions of this machine.');
  return error;
}
