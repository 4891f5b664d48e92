import type { Rule } from '../../faults/support/rule.js';
import { readNodeDies, twoWriters, writeNodeDies } from './galera.js';
import { twoProcesses, twoProcessesOnServer, workersOnFile } from './processes.js';
import { primaryAway, replicaDies, replicasAreRead } from './replicas.js';

/** Every rule, in order. */
export const rules: Rule[] = [
  replicasAreRead,
  replicaDies,
  primaryAway,
  readNodeDies,
  writeNodeDies,
  twoWriters,
  twoProcesses,
  twoProcessesOnServer,
  workersOnFile,
];
