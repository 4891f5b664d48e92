/** The part of busboy's interface that uploads use: the package has no types of its own. */
declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http';
  import type { Readable, Writable } from 'node:stream';

  /** Largest numbers and lengths, in bytes; what is beyond them is left out. */
  interface Limits {
    fieldNameSize?: number;
    fieldSize?: number;
    fields?: number;
    fileSize?: number;
    files?: number;
    parts?: number;
  }

  interface Parser extends Writable {
    on(event: 'field', listener: (name: string, value: string) => void): this;
    on(event: 'file', listener: (name: string, file: Readable, info: { filename?: string }) => void): this;
    on(event: string, listener: (...values: never[]) => void): this;
  }

  /** @throws Error for headers that are not those of a form */
  export default function busboy(config: {
    headers: IncomingHttpHeaders;
    /** The encoding of file names, in which browsers send UTF-8. */
    defParamCharset?: string;
    limits?: Limits;
  }): Parser;
}
