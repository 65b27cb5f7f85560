import type { Command } from './command.ts';
import { check } from './commands/check.ts';
import { claim } from './commands/claim.ts';
import { extract, importCommand } from './commands/conversation-commands.ts';
import { doctor } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { acknowledge, answer, ask, fail, release, renew, reopen, withdraw } from './commands/lease-commands.ts';
import { list, log, render, sessions, show } from './commands/reading-commands.ts';
import { resume } from './commands/resume.ts';
import { status } from './commands/status.ts';
import { storeBackup } from './commands/store/backup.ts';
import { storeCheck } from './commands/store/check.ts';
import { storeCopy } from './commands/store/copy.ts';
import { storeMigrate } from './commands/store/migrate.ts';
import { storePrune } from './commands/store/prune.ts';
import { storeRestore } from './commands/store/restore.ts';
import { approve, create, edit } from './commands/writing-commands.ts';

/** Every command that runs an operation, in the order of the help page: along the way of a handoff. */
export const commands = [
  status,
  sessions,
  importCommand,
  extract,
  create,
  edit,
  approve,
  list,
  show,
  render,
  check,
  claim,
  resume,
  renew,
  acknowledge,
  release,
  fail,
  ask,
  answer,
  withdraw,
  reopen,
  log,
  storeCheck,
  storeBackup,
  storeRestore,
  storePrune,
  storeMigrate,
  storeCopy,
  init,
  doctor,
] as unknown as readonly Command[];
