import type { Check } from './check.js';
import { ComparedCheck } from './compared-check.js';
import { GroupCheck } from './group-check.js';
import { AutoCreatedRecordCheck } from './auto-created-record-check.js';
import { NameCheck } from './name-check.js';
import { IndexCheck } from './index-check.js';
import { InvertedRateCheck } from './inverted-rate-check.js';
import { PointCheck } from './point-check.js';
import { PositionCheck } from './position-check.js';
import { RateCheck } from './rate-check.js';
import { SeriesCheck } from './series-check.js';

/** Every check, in the order in which they run: a later one may use what an earlier one stores. */
export const checks: readonly Check[] = [
  new PointCheck(),
  new SeriesCheck(),
  new GroupCheck(),
  new ComparedCheck(),
  new NameCheck(),
  new AutoCreatedRecordCheck(),
  new PositionCheck(),
  new RateCheck(),
  new InvertedRateCheck(),
  new IndexCheck(),
];
