import { followGuide } from './follow-guide.js';

const copy = followGuide('adding-an-output-format.md');
afterAll(() => copy.remove());

// The test of the guide, and the one of the formats that the service has.
await copy.load('test/http/tsv.e2e-spec.ts');
await copy.load('test/prices/price-formats.e2e-spec.ts');
