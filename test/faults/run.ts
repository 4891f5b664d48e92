import { faultRules, largeRules } from './rules/index.js';
import { runRules } from './support/run-rules.js';

/*
 *   npm run test:faults [-- --short|--large] [--only F1,F3] [--json FILE]
 *
 * Fault injection tests against the built server in its own process: one script per rule, run one
 * after the other, each with its own database. Prints a table and writes it as JSON (to
 * var/faults.json by default). Exits with 1 when a rule fails. `--large` runs the rules of a large
 * database in place of the others.
 */

await runRules(faultRules, 'var/faults.json', largeRules);
