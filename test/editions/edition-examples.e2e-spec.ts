import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EditionRecord } from '../../src/editions/edition-record.js';
import { SampleData } from '../../src/sample/sample-data.js';
import { startTestApp } from '../support/test-app.js';
import { makeEditions } from './make-editions.js';

describe('the edition in the documentation', () => {
  it('is that of the sample', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
    const service = await startTestApp({ EDITIONS_DIR: folder });
    try {
      await service.app.get(SampleData).load();
      await makeEditions(service).make('2026-11');
      const { body } = await service.http().get('/api/v1/Edition/1/').expect(200);
      const { series, points, files } = body as EditionRecord;
      const { bytes, sha256 } = files![0]!;
      // An import does not make as many revisions on every engine.
      expect(readFileSync('docs/publishing.md', 'utf8').replace(/(?<=of revision )\d+/, 'N')).toContain(
        `Edition 1 of revision N has ${points} prices of ${series} series.`,
      );
      const api = readFileSync('docs/api/editions.md', 'utf8');
      for (const part of [
        `"series": ${series}, "points": ${points}, "difference": null,`,
        `{"name": "prices.parquet", "bytes": ${bytes}, "sha256": "${sha256.slice(0, 4)}…",`,
      ])
        expect(api).toContain(part);
    } finally {
      await service.close();
      rmSync(folder, { recursive: true });
    }
  });
});
