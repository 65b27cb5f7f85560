import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { assertTrustable } from '../../workspace/configuration.ts';
import { type RawSettings, readRepositorySettings, repositoryFileName } from '../../workspace/repository-settings.ts';
import { hashSettings, isTrusted, keepTrust, trustFile } from '../../workspace/trust.ts';
import type { OperationContext } from '../context.ts';

/** Shows the settings that a repository brings, and stores that the user agreed to exactly these. */
export const projectTrust = defineOperation({
  name: 'project.trust',
  summary: 'Shows the settings of a repository, and trusts exactly these values once confirmed.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The hash of the values that somebody saw and agrees to. Default: they are only shown. */
    values_sha256: z.string().optional(),
  }),
  output: async () =>
    z.strictObject({
      /** The repository's file; null where there is none. */
      file: z.string().nullable(),
      /** Whether the values of the file take effect now. */
      trusted: z.boolean(),
      /** Every value of the file, by its name, as `model.base_url`. */
      values: z.array(z.strictObject({ name: z.string(), value: z.json() })),
      values_sha256: z.string().nullable(),
      /** Where the agreement is stored; removing this file revokes it. */
      kept_in: z.string(),
    }),
  errors: [
    'conflict',
    'invalid_input',
    'invalid_structure',
    'parse_error',
    'path_outside_root',
    'too_large',
    'unavailable',
  ],
  run: async ({ values_sha256: agreed }, { workspace, environment }: OperationContext) => {
    const kept_in = trustFile(workspace, environment);
    const settings = readRepositorySettings(workspace.root);
    if (settings === null) return { file: null, trusted: false, values: [], values_sha256: null, kept_in };
    const values_sha256 = hashSettings(settings);
    if (agreed !== undefined) {
      assertAgreed(agreed, values_sha256);
      assertTrustable(workspace.root, settings);
      keep(() => keepTrust(workspace, environment, values_sha256), kept_in);
    }
    return {
      file: repositoryFileName,
      trusted: isTrusted(workspace, environment, settings),
      values: listValues(settings),
      values_sha256,
      kept_in,
    };
  },
});

type Value = { name: string; value: z.core.util.JSONType };

/** Every value, those of objects by their full names. */
function listValues(settings: RawSettings, prefix = ''): Value[] {
  return Object.entries(settings).flatMap(([key, value]): Value[] => {
    const name = `${prefix}${key}`;
    const isParent =
      value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;
    return isParent ? listValues(value as RawSettings, `${name}.`) : [{ name, value: value as Value['value'] }];
  });
}

function assertAgreed(agreed: string, values_sha256: string): void {
  if (agreed === values_sha256) return;
  throw new HandoffError(
    'conflict',
    `${repositoryFileName} has changed since its values were shown. Nothing is trusted.`,
    {
      details: { values_sha256 },
      alternatives: ['See the current values: baton trust'],
    },
  );
}

function keep(write: () => void, path: string): void {
  try {
    write();
  } catch (cause) {
    throw new HandoffError('unavailable', `The agreement cannot be kept in ${path}: ${(cause as Error).message}.`, {
      details: { path },
      alternatives: ['Make the folder writable, or set what you want by BATON_ variables.'],
      cause,
    });
  }
}
