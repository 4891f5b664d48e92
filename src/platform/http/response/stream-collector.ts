import type { HttpLimits } from '../request/http-options.js';

/** The copy of a stream that is being collected for the page cache. */
export interface StreamCopy {
  add(chunk: Buffer): void;
  /** The whole body; null where it became too large to store. */
  whole(): Buffer | null;
  /** Frees what the copy holds. */
  end(): void;
}

/** Copies streams for the page cache, within a limit for each and one for all at the same time. */
export class StreamCollector {
  private held = 0;

  constructor(private readonly limits: HttpLimits) {}

  /** @param wanted false for a stream that may not be stored */
  begin(wanted: boolean): StreamCopy {
    let chunks: Buffer[] | null = wanted ? [] : null;
    let size = 0;
    const end = (): void => {
      this.held -= size;
      size = 0;
      chunks = null;
    };
    return {
      end,
      whole: () => chunks && Buffer.concat(chunks),
      add: (chunk) => {
        if (chunks === null) return;
        const fits = size + chunk.length <= this.limits.cachedReplyBytes;
        if (!fits || this.held + chunk.length > this.limits.collectingBytes) return end();
        chunks.push(chunk);
        size += chunk.length;
        this.held += chunk.length;
      },
    };
  }
}
