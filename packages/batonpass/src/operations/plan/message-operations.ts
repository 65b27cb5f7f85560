import type { z } from 'zod';
import type { MessageOperation } from '../../plan-files/envelope/message-operations.ts';

/** What answering a message needs of an operation. */
interface LoadedOperation {
  name: string;
  mutates: boolean;
  input: z.ZodType;
  keepsAnswer?: unknown;
  run: unknown;
}

/** The operations of the catalogue that a message can ask for. */
export const operationsOfMessages: Readonly<Record<MessageOperation, () => Promise<LoadedOperation>>> = {
  'create-directory': async () => (await import('./create-directory.ts')).planCreateDirectory,
  'write-config': async () => (await import('./plan-writes.ts')).planWriteConfig,
  'write-plan': async () => (await import('./plan-writes.ts')).planWritePlan,
  'read-plan': async () => (await import('./plan-reads.ts')).planReadPlan,
  'read-config': async () => (await import('./plan-reads.ts')).planReadConfig,
  'get-references': async () => (await import('./plan-reads.ts')).planGetReferences,
  'write-references': async () => (await import('./plan-writes.ts')).planWriteReferences,
  'update-progress': async () => (await import('./plan-writes.ts')).planUpdateProgress,
  'validate-plan': async () => (await import('./plan-reads.ts')).planValidatePlan,
  'validate-config': async () => (await import('./plan-reads.ts')).planValidateConfig,
  'validate-references': async () => (await import('./plan-reads.ts')).planValidateReferences,
};
