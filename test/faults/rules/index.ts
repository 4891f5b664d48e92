import type { Rule } from '../support/rule.js';
import { databaseAway } from './f01-database-away.js';
import { databaseRestarts } from './f02-database-restarts.js';
import { databaseHangs } from './f03-database-hangs.js';
import { lostCommit } from './f04-lost-commit.js';
import { poolFull } from './f05-pool-full.js';

/** Every rule, in order. */
export const rules: Rule[] = [databaseAway, databaseRestarts, databaseHangs, lostCommit, poolFull];
