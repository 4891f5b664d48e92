import { runRules } from '../faults/support/run-rules.js';
import { clusterRules } from './rules/index.js';

/*
 *   npm run test:clusters [-- --short] [--only C1,C3] [--json FILE]
 *
 * Tests of scaled-out deployments with the built service in its own processes: several workers,
 * replicas, a cluster of database nodes. Every database server is started on the loopback from the
 * installed MariaDB. Prints a table and writes it as JSON (to var/clusters.json by default). Exits
 * with 1 when a rule fails.
 */

await runRules(clusterRules, 'var/clusters.json');
