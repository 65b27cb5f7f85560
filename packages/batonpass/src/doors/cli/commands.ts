import type { Command } from './command.ts';

/**
 * Every command that runs an operation, by name, in the order of the help page: along the path of a handoff. Each is
 * loaded when the words name it: a start loads one command, not all of them.
 */
const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  status: async () => (await import('./commands/status.ts')).status,
  sessions: async () => (await import('./commands/reading-commands.ts')).sessions,
  'agent-writes': async () => (await import('./commands/writing-commands.ts')).agentWrites,
  import: async () => (await import('./commands/conversation-commands.ts')).importCommand,
  extract: async () => (await import('./commands/conversation-commands.ts')).extract,
  read: async () => (await import('./commands/conversation-commands.ts')).read,
  create: async () => (await import('./commands/writing-commands.ts')).create,
  edit: async () => (await import('./commands/writing-commands.ts')).edit,
  approve: async () => (await import('./commands/writing-commands.ts')).approve,
  list: async () => (await import('./commands/list.ts')).list,
  count: async () => (await import('./commands/list.ts')).count,
  show: async () => (await import('./commands/reading-commands.ts')).show,
  render: async () => (await import('./commands/reading-commands.ts')).render,
  check: async () => (await import('./commands/check.ts')).check,
  claim: async () => (await import('./commands/claim.ts')).claim,
  resume: async () => (await import('./commands/claim.ts')).resume,
  renew: async () => (await import('./commands/lease-commands.ts')).renew,
  report: async () => (await import('./commands/lease-commands.ts')).report,
  ack: async () => (await import('./commands/lease-commands.ts')).acknowledge,
  release: async () => (await import('./commands/lease-commands.ts')).release,
  fail: async () => (await import('./commands/lease-commands.ts')).fail,
  ask: async () => (await import('./commands/lease-commands.ts')).ask,
  answer: async () => (await import('./commands/lease-commands.ts')).answer,
  withdraw: async () => (await import('./commands/lease-commands.ts')).withdraw,
  reopen: async () => (await import('./commands/lease-commands.ts')).reopen,
  log: async () => (await import('./commands/reading-commands.ts')).log,
  lineage: async () => (await import('./commands/reading-commands.ts')).lineage,
  export: async () => (await import('./commands/writing-commands.ts')).exportCommand,
  'store check': async () => (await import('./commands/store-commands.ts')).storeCheck,
  'store backup': async () => (await import('./commands/store/restore.ts')).storeBackup,
  'store restore': async () => (await import('./commands/store/restore.ts')).storeRestore,
  'store prune': async () => (await import('./commands/store/prune.ts')).storePrune,
  'store migrate': async () => (await import('./commands/store-commands.ts')).storeMigrate,
  'store copy': async () => (await import('./commands/store/copy.ts')).storeCopy,
  'store roles': async () => (await import('./commands/store-commands.ts')).storeRoles,
  'token create': async () => (await import('./commands/token-commands.ts')).tokenCreate,
  'token list': async () => (await import('./commands/token-commands.ts')).tokenList,
  'token revoke': async () => (await import('./commands/token-commands.ts')).tokenRevoke,
  'file next': async () => (await import('./commands/file-commands.ts')).fileNext,
  'file write': async () => (await import('./commands/file-commands.ts')).fileWrite,
  'file read': async () => (await import('./commands/file-commands.ts')).fileRead,
  'file list': async () => (await import('./commands/file-commands.ts')).fileList,
  'file check': async () => (await import('./commands/file-commands.ts')).fileCheck,
  'file store list': async () => (await import('./commands/file-store-commands.ts')).fileStoreList,
  'file store create': async () => (await import('./commands/file-store-commands.ts')).fileStoreCreate,
  'file store acknowledge': async () => (await import('./commands/file-store-commands.ts')).fileStoreAcknowledge,
  'file store show': async () => (await import('./commands/file-store-commands.ts')).fileStoreShow,
  'file store check': async () => (await import('./commands/file-store-commands.ts')).fileStoreCheck,
  'plan answer': async () => (await import('./commands/plan/answer.ts')).planAnswer,
  'plan consult': async () => (await import('./commands/plan/answer.ts')).planConsult,
  'plan hand-on': async () => (await import('./commands/plan/planning.ts')).planHandOn,
  'plan list': async () => (await import('./commands/plan/reading.ts')).planList,
  'plan show': async () => (await import('./commands/plan/reading.ts')).planShow,
  'plan outline': async () => (await import('./commands/plan/reading.ts')).planOutline,
  'plan watch': async () => (await import('./commands/plan/reading.ts')).planWatch,
  'plan done': async () => (await import('./commands/plan/writing.ts')).planDone,
  'plan run': async () => (await import('./commands/plan/planning.ts')).planRun,
  'plan step': async () => (await import('./commands/plan/planning.ts')).planStep,
  'plan stop': async () => (await import('./commands/plan/planning.ts')).planStop,
  'plan runs': async () => (await import('./commands/plan/planning.ts')).planRuns,
  'plan draft': async () => (await import('./commands/plan/planning.ts')).planDraft,
  'plan context': async () => (await import('./commands/plan/planning.ts')).planContext,
  'plan add-decision': async () => (await import('./commands/plan/planning.ts')).planAddDecision,
  'plan complete': async () => (await import('./commands/plan/planning.ts')).planComplete,
  'plan create-directory': async () => (await import('./commands/plan/writing.ts')).planCreateDirectory,
  'plan write-config': async () => (await import('./commands/plan/writing.ts')).planWriteConfig,
  'plan write-plan': async () => (await import('./commands/plan/writing.ts')).planWritePlan,
  'plan read-plan': async () => (await import('./commands/plan/reading.ts')).planReadPlan,
  'plan read-config': async () => (await import('./commands/plan/reading.ts')).planReadConfig,
  'plan get-references': async () => (await import('./commands/plan/reading.ts')).planGetReferences,
  'plan write-references': async () => (await import('./commands/plan/writing.ts')).planWriteReferences,
  'plan update-progress': async () => (await import('./commands/plan/writing.ts')).planUpdateProgress,
  'plan validate-plan': async () => (await import('./commands/plan/reading.ts')).planValidatePlan,
  'plan validate-config': async () => (await import('./commands/plan/reading.ts')).planValidateConfig,
  'plan validate-references': async () => (await import('./commands/plan/reading.ts')).planValidateReferences,
  init: async () => (await import('./commands/init.ts')).init,
  trust: async () => (await import('./commands/project-commands.ts')).trust,
  doctor: async () => (await import('./commands/project-commands.ts')).doctor,
};

/** Shorter words for a command. */
export const aliases: Readonly<Record<string, string>> = { ls: 'list' };

/** The command that the words begin with, as `store check`; undefined where there is none. */
export function findCommandName(words: readonly string[]): string | undefined {
  const [first = '', ...others] = words;
  const whole = [Object.hasOwn(aliases, first) ? aliases[first] : first, ...others];
  return whole.map((_, index) => whole.slice(0, index + 1).join(' ')).find((name) => Object.hasOwn(loaders, name));
}

/** Loads commands. Default: all of them. */
export async function loadCommands(names: readonly string[] = Object.keys(loaders)): Promise<readonly Command[]> {
  return (await Promise.all(names.map((name) => loaders[name]?.()))) as readonly Command[];
}
