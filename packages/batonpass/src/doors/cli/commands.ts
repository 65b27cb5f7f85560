import type { Command } from './command.ts';
import { check } from './commands/check.ts';
import { claim } from './commands/claim.ts';
import { extract, importCommand, read } from './commands/conversation-commands.ts';
import { count } from './commands/count.ts';
import { doctor } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { fileCheck } from './commands/file/check.ts';
import { fileList } from './commands/file/list.ts';
import { fileRead } from './commands/file/read.ts';
import { fileNext, fileWrite } from './commands/file/write.ts';
import { fileStoreCheck } from './commands/file-store/check.ts';
import { fileStoreList } from './commands/file-store/list.ts';
import { fileStoreShow } from './commands/file-store/show.ts';
import { init } from './commands/init.ts';
import { acknowledge, answer, ask, fail, release, renew, reopen, report, withdraw } from './commands/lease-commands.ts';
import { planAnswer, planConsult } from './commands/plan/answer.ts';
import { planAddDecision, planComplete, planContext } from './commands/plan/by-agent.ts';
import { planHandOn } from './commands/plan/hand-on.ts';
import { planDraft, planRun, planRuns } from './commands/plan/planning.ts';
import {
  planGetReferences,
  planList,
  planOutline,
  planReadConfig,
  planReadPlan,
  planShow,
  planValidateConfig,
  planValidatePlan,
  planValidateReferences,
  planWatch,
} from './commands/plan/reading.ts';
import {
  planCreateDirectory,
  planDone,
  planUpdateProgress,
  planWriteConfig,
  planWritePlan,
  planWriteReferences,
} from './commands/plan/writing.ts';
import { lineage, list, log, render, sessions, show } from './commands/reading-commands.ts';
import { resume } from './commands/resume.ts';
import { status } from './commands/status.ts';
import { storeBackup } from './commands/store/backup.ts';
import { storeCheck } from './commands/store/check.ts';
import { storeCopy } from './commands/store/copy.ts';
import { storeMigrate } from './commands/store/migrate.ts';
import { storePrune } from './commands/store/prune.ts';
import { storeRestore } from './commands/store/restore.ts';
import { storeRoles } from './commands/store/roles.ts';
import { tokenCreate } from './commands/token/create.ts';
import { tokenList } from './commands/token/list.ts';
import { tokenRevoke } from './commands/token/revoke.ts';
import { approve, create, edit } from './commands/writing-commands.ts';

/** Every command that runs an operation, in the order of the help page: along the way of a handoff. */
export const commands = [
  status,
  sessions,
  importCommand,
  extract,
  read,
  create,
  edit,
  approve,
  list,
  count,
  show,
  render,
  check,
  claim,
  resume,
  renew,
  report,
  acknowledge,
  release,
  fail,
  ask,
  answer,
  withdraw,
  reopen,
  log,
  lineage,
  exportCommand,
  storeCheck,
  storeBackup,
  storeRestore,
  storePrune,
  storeMigrate,
  storeCopy,
  storeRoles,
  tokenCreate,
  tokenList,
  tokenRevoke,
  fileNext,
  fileWrite,
  fileRead,
  fileList,
  fileCheck,
  fileStoreList,
  fileStoreShow,
  fileStoreCheck,
  planAnswer,
  planConsult,
  planHandOn,
  planList,
  planShow,
  planOutline,
  planWatch,
  planDone,
  planRun,
  planRuns,
  planDraft,
  planContext,
  planAddDecision,
  planComplete,
  planCreateDirectory,
  planWriteConfig,
  planWritePlan,
  planReadPlan,
  planReadConfig,
  planGetReferences,
  planWriteReferences,
  planUpdateProgress,
  planValidatePlan,
  planValidateConfig,
  planValidateReferences,
  init,
  doctor,
] as unknown as readonly Command[];
