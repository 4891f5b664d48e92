import type { Rule } from '../../faults/support/rule.js';
import { primaryAway, replicaDies, replicasAreRead } from './replicas.js';

/** Every rule, in order. */
export const rules: Rule[] = [replicasAreRead, replicaDies, primaryAway];
