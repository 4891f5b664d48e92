import { Injectable } from '@nestjs/common';
import type { RevisionSource } from '../../platform/http/cache.js';
import { DataRevision, type RevisionArea, type Revisions } from './data-revision.js';

const AREAS = ['references', 'series', 'rates', 'findings'] as const satisfies readonly RevisionArea[];

/** The revisions that the page cache compares its pages with. */
@Injectable()
export class CacheRevisions implements RevisionSource {
  readonly areas: readonly string[] = AREAS;
  // Repeated requests ask for nothing else, so a text is made once for each revision.
  private revisions: Revisions | null = null;
  private readonly texts = new Map<string, string>();

  constructor(private readonly dataRevision: DataRevision) {}

  current(areas: string): string | null {
    const revisions = this.dataRevision.current();
    if (revisions === null) return null;
    if (revisions !== this.revisions) this.texts.clear();
    this.revisions = revisions;
    let text = this.texts.get(areas);
    if (text === undefined) {
      // Of several areas the newest revision: it changes when any of them does.
      text = String(Math.max(...areas.split('+').map((area) => revisions[area as RevisionArea])));
      this.texts.set(areas, text);
    }
    return text;
  }

  newest(): string | null {
    const revisions = this.dataRevision.current();
    return revisions === null ? null : String(revisions.all);
  }
}
