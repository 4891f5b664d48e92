import type { Rule } from '../../faults/support/rule.js';
import { readNodeDies, twoWriters, writeNodeDies } from './galera.js';
import { feedOfCluster } from './galera-feed.js';
import { twoProcesses, twoProcessesOnServer, workersOnFile } from './processes.js';
import { primaryDown, replicaDies, replicasAreRead } from './replicas.js';

/** All rules, in the order in which they run. */
export const clusterRules: Rule[] = [
  replicasAreRead,
  replicaDies,
  primaryDown,
  readNodeDies,
  writeNodeDies,
  twoWriters,
  twoProcesses,
  twoProcessesOnServer,
  workersOnFile,
  feedOfCluster,
];
