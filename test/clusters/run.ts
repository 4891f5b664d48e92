import { runRules } from '../faults/support/run-rules.js';
import { rules } from './rules/index.js';

/*
 *   npm run test:clusters [-- --short] [--only C1,C3] [--json FILE]
 *
 * Proves what holds past one machine, with the built service as processes of their own: several workers, replicas, a cluster of
 * database nodes. Every database server is started on the loopback from the installed MariaDB and ended again. Prints a table and
 * writes it as JSON (var/clusters.json unless told otherwise). Ends with 1 when a rule fails.
 */

await runRules(rules, 'var/clusters.json');
