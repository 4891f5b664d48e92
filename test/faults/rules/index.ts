import type { Rule } from '../support/rule.js';
import { loginFlood } from './a11-login-flood.js';
import { production } from './a13-production.js';
import { databaseUnreachable } from './f01-database-unreachable.js';
import { databaseRestarts } from './f02-database-restarts.js';
import { databaseHangs } from './f03-database-hangs.js';
import { slowWrites } from './f03-slow-writes.js';
import { lostCommit } from './f04-lost-commit.js';
import { poolFull } from './f05-pool-full.js';
import { noSpace, noStorage, noStorageOnServer } from './f06-no-storage.js';
import { lockHeld } from './f07-lock-held.js';
import { foreignFile } from './f08-foreign-file.js';
import { killedWhileWriting, killedWhileWritingToServer } from './f09-killed-while-writing.js';
import { killedHarvest, killedHarvestOnServer } from './f10-killed-harvest.js';
import { killedImport, killedImportToServer } from './f10-killed-import.js';
import { signals } from './f11-signals.js';
import { slowSockets } from './f12-slow-sockets.js';
import { overload } from './f14-overload.js';
import { unreadReplies } from './f14-unread-replies.js';
import { errorOutside } from './f15-error-outside.js';
import { killedWorkers } from './f15-killed-workers.js';
import { logBlocked, logFull, logFullOnce } from './f17-log-blocked.js';
import { halfMigrated, halfMigratedServer } from './f18-half-migrated.js';
import { pastStates, pastStatesOnServer } from './f18-past-states.js';
import { rollingUpgrade, rollingUpgradeOnServer } from './f19-rolling-upgrade.js';
import { rejectionsWithoutDatabase } from './g05-rejections-without-database.js';
import { revertedImport, revertedImportOnServer } from './h02-reverted-import.js';
import { changeFeed, changeFeedOnServer } from './h06-change-feed.js';
import { waitingClients } from './h06-waiting-clients.js';
import { mirror, mirrorOnServer } from './h07-mirror.js';
import { health } from './o04-health.js';
import { backupAndRestore, backupAndRestoreOfServer } from './o05-backup.js';
import { managementPort } from './management-port.js';
import { nginxSite } from './nginx.js';
import { memory, memoryAtSizeL, memoryOfFormats, memoryOfFormatsAtSizeL } from './r01-memory.js';
import { stalledReaders, stalledReadersAtSizeL } from './r01-stalled-readers.js';
import { memoryOfHarvest } from './r01-harvest.js';
import { memoryOfUpload } from './r01-upload.js';
import { steadyLoad } from './steady-load.js';

/** All rules, in the order in which they run. */
export const faultRules: Rule[] = [
  rejectionsWithoutDatabase,
  databaseUnreachable,
  databaseRestarts,
  databaseHangs,
  slowWrites,
  lostCommit,
  poolFull,
  noStorage,
  noSpace,
  noStorageOnServer,
  lockHeld,
  foreignFile,
  killedWhileWriting,
  killedWhileWritingToServer,
  killedImport,
  killedImportToServer,
  killedHarvest,
  killedHarvestOnServer,
  signals,
  slowSockets,
  overload,
  unreadReplies,
  errorOutside,
  killedWorkers,
  logBlocked,
  logFull,
  logFullOnce,
  halfMigrated,
  halfMigratedServer,
  pastStates,
  pastStatesOnServer,
  rollingUpgrade,
  rollingUpgradeOnServer,
  revertedImport,
  revertedImportOnServer,
  changeFeed,
  changeFeedOnServer,
  waitingClients,
  mirror,
  mirrorOnServer,
  health,
  managementPort,
  nginxSite,
  backupAndRestore,
  backupAndRestoreOfServer,
  memory,
  memoryOfFormats,
  memoryOfHarvest,
  memoryOfUpload,
  stalledReaders,
  loginFlood,
  production,
  steadyLoad,
];

/** Rules for a large database, which takes some minutes to make: with `--large` alone. */
export const largeRules: Rule[] = [memoryAtSizeL, memoryOfFormatsAtSizeL, stalledReadersAtSizeL];
