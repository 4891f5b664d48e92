import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Header } from '../wire/reply.js';

/** A request as recorded: with the names of variables, and abbreviated where it is long. */
export interface RecordedRequest {
  method: string;
  target: string;
  headers: Header[];
  body: string | null;
}

/** One reply of a recording. */
export interface RecordedReply {
  id: string;
  request: RecordedRequest;
  /** The status line; empty where there was no reply. */
  line: string;
  /** 0 where there was no reply. */
  status: number;
  /** Sorted by name. */
  headers: Header[];
  /** Content encoding of the body; null for none. */
  encoding: string | null;
  /** Decompressed text; null for binary content. */
  body: string | null;
  /** Digest of the body as sent. */
  sha256: string;
  /** Length of the body as sent. */
  bytes: number;
  /** The body holds a placeholder, so its bytes are not compared. */
  varies: boolean;
  /** What the service did with the connection after the reply. */
  connection: string;
}

/** Bodies of this length or more are written once; repetitions refer to the first by its id. */
const REFERENCED_FROM = 1000;

/** Writes a recording as NDJSON, one line per reply. */
export class RecordingFile {
  private readonly file: number;
  private readonly written = new Map<string, string>();

  constructor(path: string) {
    this.file = openSync(path, 'w');
  }

  add(reply: RecordedReply): void {
    const { body, ...rest } = reply;
    const earlier = body === null ? undefined : this.written.get(body);
    if (earlier === undefined && body !== null && body.length >= REFERENCED_FROM)
      this.written.set(body, reply.id);
    const line = earlier === undefined ? { ...rest, body } : { ...rest, bodyOf: earlier };
    writeSync(this.file, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Reads a recording, in its order. */
export function readRecording(path: string): RecordedReply[] {
  const bodies = new Map<string, string | null>();
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { bodyOf, ...reply } = JSON.parse(line) as RecordedReply & { bodyOf?: string };
      const whole = bodyOf === undefined ? reply : { ...reply, body: bodies.get(bodyOf) ?? null };
      bodies.set(whole.id, whole.body);
      return whole;
    });
}
