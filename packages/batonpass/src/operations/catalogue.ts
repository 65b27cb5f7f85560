/**
 * The catalogue: everything that Baton can do, by name. Each operation is loaded when it is first asked for, so that
 * a command line pays for one and not for all.
 */
export const catalogue = {
  'handoff.status': async () => (await import('./handoff-status.ts')).handoffStatus,
  'handoff.create': async () => (await import('./handoff-create.ts')).handoffCreate,
  'handoff.import': async () => (await import('./handoff-import.ts')).handoffImport,
  'handoff.export': async () => (await import('./handoff-export.ts')).handoffExport,
  'handoff.edit': async () => (await import('./handoff-edit.ts')).handoffEdit,
  'handoff.approve': async () => (await import('./handoff-approve.ts')).handoffApprove,
  'handoff.list': async () => (await import('./handoff-list.ts')).handoffList,
  'handoff.count': async () => (await import('./handoff-count.ts')).handoffCount,
  'handoff.get': async () => (await import('./handoff-get.ts')).handoffGet,
  'handoff.claim': async () => (await import('./handoff-claim.ts')).handoffClaim,
  'handoff.renew': async () => (await import('./handoff-steps.ts')).handoffRenew,
  'handoff.report': async () => (await import('./handoff-steps.ts')).handoffReport,
  'handoff.acknowledge': async () => (await import('./handoff-steps.ts')).handoffAcknowledge,
  'handoff.release': async () => (await import('./handoff-steps.ts')).handoffRelease,
  'handoff.fail': async () => (await import('./handoff-steps.ts')).handoffFail,
  'handoff.ask': async () => (await import('./handoff-steps.ts')).handoffAsk,
  'handoff.answer': async () => (await import('./handoff-steps.ts')).handoffAnswer,
  'handoff.withdraw': async () => (await import('./handoff-steps.ts')).handoffWithdraw,
  'handoff.reopen': async () => (await import('./handoff-steps.ts')).handoffReopen,
  'handoff.break': async () => (await import('./handoff-steps.ts')).handoffBreak,
  'handoff.events': async () => (await import('./handoff-events.ts')).handoffEvents,
  'handoff.lineage': async () => (await import('./handoff-lineage.ts')).handoffLineage,
  'handoff.check': async () => (await import('./handoff-check.ts')).handoffCheck,
  'handoff.render': async () => (await import('./handoff-render.ts')).handoffRender,
  'handoff.resume': async () => (await import('./handoff-resume.ts')).handoffResume,
  'planning.run': async () => (await import('./planning/run.ts')).planningRun,
  'planning.runs': async () => (await import('./planning/runs.ts')).planningRuns,
  'planning.context': async () => (await import('./planning/context.ts')).planningContext,
  'planning.add-decision': async () => (await import('./planning/add-decision.ts')).planningAddDecision,
  'planning.complete': async () => (await import('./planning/complete.ts')).planningComplete,
  'planning.draft': async () => (await import('./planning/draft.ts')).planningDraft,
  'planning.hand-on': async () => (await import('./planning/hand-on.ts')).planningHandOn,
  'session.start': async () => (await import('./sessions/session-start.ts')).sessionStart,
  'session.note': async () => (await import('./sessions/session-note.ts')).sessionNote,
  'session.work': async () => (await import('./sessions/session-work.ts')).sessionWork,
  'conversation.list': async () => (await import('./conversation-list.ts')).conversationList,
  'conversation.read': async () => (await import('./conversation-read.ts')).conversationRead,
  'conversation.extract': async () => (await import('./conversation-extract.ts')).conversationExtract,
  'project.init': async () => (await import('./init/project-init.ts')).projectInit,
  'project.trust': async () => (await import('./trust/project-trust.ts')).projectTrust,
  'project.diagnose': async () => (await import('./doctor/project-diagnose.ts')).projectDiagnose,
  'store.check': async () => (await import('./store/store-check.ts')).storeCheck,
  'store.backup': async () => (await import('./store/store-backup.ts')).storeBackup,
  'store.restore': async () => (await import('./store/store-restore.ts')).storeRestore,
  'store.prune': async () => (await import('./store/store-prune.ts')).storePrune,
  'store.migrate': async () => (await import('./store/store-migrate.ts')).storeMigrate,
  'store.copy': async () => (await import('./store/store-copy.ts')).storeCopy,
  'store.roles': async () => (await import('./store/store-roles.ts')).storeRoles,
  'token.create': async () => (await import('./tokens/token-create.ts')).tokenCreate,
  'token.list': async () => (await import('./tokens/token-list.ts')).tokenList,
  'token.revoke': async () => (await import('./tokens/token-revoke.ts')).tokenRevoke,
  'file.write': async () => (await import('./files/file-write.ts')).fileWrite,
  'file.next': async () => (await import('./files/file-next.ts')).fileNext,
  'file.read': async () => (await import('./files/file-read.ts')).fileRead,
  'file.list': async () => (await import('./files/file-list.ts')).fileList,
  'file.check': async () => (await import('./files/file-check.ts')).fileCheck,
  'file.store-list': async () => (await import('./record-folder/store-list.ts')).fileStoreList,
  'file.store-acknowledge': async () => (await import('./record-folder/store-acknowledge.ts')).fileStoreAcknowledge,
  'file.store-create': async () => (await import('./record-folder/store-create.ts')).fileStoreCreate,
  'file.store-show': async () => (await import('./record-folder/store-show.ts')).fileStoreShow,
  'file.store-check': async () => (await import('./record-folder/store-check.ts')).fileStoreCheck,
  'plan.create-directory': async () => (await import('./plan/create-directory.ts')).planCreateDirectory,
  'plan.write-config': async () => (await import('./plan/write-config.ts')).planWriteConfig,
  'plan.write-plan': async () => (await import('./plan/write-plan.ts')).planWritePlan,
  'plan.read-plan': async () => (await import('./plan/read-plan.ts')).planReadPlan,
  'plan.outline': async () => (await import('./plan/outline.ts')).planOutline,
  'plan.read-config': async () => (await import('./plan/read-config.ts')).planReadConfig,
  'plan.get-references': async () => (await import('./plan/get-references.ts')).planGetReferences,
  'plan.write-references': async () => (await import('./plan/write-references.ts')).planWriteReferences,
  'plan.update-progress': async () => (await import('./plan/update-progress.ts')).planUpdateProgress,
  'plan.validate-plan': async () => (await import('./plan/validate.ts')).planValidatePlan,
  'plan.validate-config': async () => (await import('./plan/validate.ts')).planValidateConfig,
  'plan.validate-references': async () => (await import('./plan/validate.ts')).planValidateReferences,
  'plan.list': async () => (await import('./plan/list.ts')).planList,
  'plan.answer': async () => (await import('./plan/answer.ts')).planAnswer,
  'plan.consult': async () => (await import('./plan/answer.ts')).planConsult,
} as const;

export type OperationName = keyof typeof catalogue;

type Declared<Name extends OperationName> = Awaited<ReturnType<(typeof catalogue)[Name]>>;

/** What an operation takes. */
export type OperationInput<Name extends OperationName> = Declared<Name>['input']['_zod']['input'];

/** What an operation answers. */
export type OperationOutput<Name extends OperationName> = Awaited<
  ReturnType<Declared<Name>['output']>
>['_zod']['output'];
