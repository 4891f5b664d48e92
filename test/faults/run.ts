import { rules } from './rules/index.js';
import { runRules } from './support/run-rules.js';

/*
 *   npm run test:faults [-- --short] [--only F1,F3] [--json FILE]
 *
 * Proves the rules on faults with the built server as a process of its own: one script a rule, one after the other, each with its
 * own database. Prints a table and writes it as JSON (var/faults.json unless told otherwise). Ends with 1 when a rule fails.
 */

await runRules(rules, 'var/faults.json');
