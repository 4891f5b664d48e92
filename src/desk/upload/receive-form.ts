import busboy from 'busboy';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, BadRequest, TooLarge } from '../../platform/errors/api-error.js';
import { ClientAborted, readBody } from '../../platform/http/read-body.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { uploadTexts } from '../texts/upload.js';

/** The field of the form with the file. */
export const FILE_FIELD = 'upload';

/** Bytes of a form besides its file. */
const FORM_BYTES = 64 * 1024;

const LIMITS = { fields: 30, fieldNameSize: 100, fieldSize: 4096, files: 1, parts: 31 };

/** A form whose file has been stored. */
export interface ReceivedForm {
  readonly fields: URLSearchParams;
  /** As the browser names it; null where none was chosen. */
  readonly fileName: string | null;
}

/** What a form may have, and how long it may take. */
export interface FormBounds {
  /** Bytes of the file. */
  readonly maxBytes: number;
  readonly stallMs: number;
  readonly totalMs: number;
}

/** 413, in words for people. */
export class FileTooLarge extends ApiError {
  constructor(maxBytes: number) {
    super('too_large', uploadTexts.tooLarge(maxBytes), {
      headers: { Connection: 'close' },
      extra: { max: maxBytes },
    });
  }
}

/** 503: the disk of the server is full, or not to be written to. */
export class DiskFull extends ApiError {
  constructor(cause?: unknown) {
    super('storage_unavailable', uploadTexts.diskFull, { headers: { Connection: 'close' }, cause });
  }
}

/**
 * Receives a form with a file, which is stored while it comes. Where this throws, a part of the
 * file may be left.
 * @param path of the file to be made
 * @param requireRoom throws where the disk has no room for some bytes of it; called before each
 * chunk, because a body need not say how long it will be
 * @throws FileTooLarge, DiskFull, RequestTimeout, ClientAborted
 * @throws BadRequest for what is no form, or only the begin of one
 */
export async function receiveForm(
  info: RequestInfo,
  path: string,
  requireRoom: (bytes: number) => Promise<void>,
  { maxBytes, stallMs, totalMs }: FormBounds,
): Promise<ReceivedForm> {
  const { headers } = info.request;
  const fields = new URLSearchParams();
  let fileName: string | null = null;
  let stored = Promise.resolve();
  try {
    const limits = { ...LIMITS, fileSize: maxBytes + 1 };
    const parser = busboy({ headers, defParamCharset: 'utf8', limits });
    parser.on('field', (name, value) => fields.append(name, value));
    parser.on('file', (name, file, { filename }) => {
      if (name !== FILE_FIELD || !filename) return void file.resume();
      fileName = filename;
      file.on('limit', () => parser.destroy(new FileTooLarge(maxBytes)));
      const withRoom = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          await requireRoom(chunk.length);
          yield chunk;
        }
      };
      stored = pipeline(file, withRoom, createWriteStream(path, { mode: 0o600 }));
      stored.catch((error: Error) => parser.destroy(error));
    });
    const bounds = { limit: maxBytes + FORM_BYTES, stallMs, totalMs };
    await pipeline(Readable.from(readBody(info, bounds), { objectMode: false }), parser);
    await stored;
  } catch (error) {
    // Nothing may write to the file any more when it is removed.
    await stored.catch(() => undefined);
    throw toFormError(error, maxBytes);
  }
  return { fields, fileName };
}

/** Whether the disk is full, or not to be written to. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');

function toFormError(error: unknown, maxBytes: number): unknown {
  if (error instanceof TooLarge) return new FileTooLarge(maxBytes);
  if (error instanceof ApiError || error instanceof ClientAborted) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (isFull(error)) return new DiskFull(error);
  // Errors of the file system have codes, those of the parser have none.
  return code === undefined ? new BadRequest(uploadTexts.incomplete) : error;
}
