import { existsSync, readFileSync } from 'node:fs';
import { structuredPatch } from 'diff';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { hostNames } from '../../core/hosts.ts';
import { maskSecrets } from '../../core/masking.ts';
import { defineOperation } from '../../core/operation.ts';
import { replaceFile } from '../../disk/replace-file.ts';
import { applyChanges } from '../../workspace/hosts/file-changes.ts';
import { hashPlan, type PlannedFile, planRegister, planUndo } from '../../workspace/hosts/init-plan.ts';
import { writeRecord } from '../../workspace/hosts/init-record.ts';
import {
  findHosts,
  type InitScope,
  initParts,
  initScopes,
  readTargets,
  type TargetSurroundings,
} from '../../workspace/hosts/init-targets.ts';
import { chooseLauncher } from '../../workspace/hosts/launcher.ts';
import { userSettingsFile } from '../../workspace/place.ts';
import { parseSettings } from '../../workspace/repository-settings.ts';
import type { OperationContext } from '../context.ts';
import { nextSteps, remarksOf, remarksOnWriting } from './init-remarks.ts';

const inputSchema = z.strictObject({
  /** Plans only. */
  dry_run: z.boolean().default(false),
  /** Undoes what an earlier run wrote. */
  undo: z.boolean().default(false),
  /** The place of the hooks. Default: the project's settings; on undo, the project's and the user's in this project. */
  scope: z.enum(initScopes).optional(),
  /** Only these hosts. Default: Claude Code, and each other one that this machine or project has; on undo, all. */
  hosts: z.array(z.enum(hostNames)).min(1).optional(),
  /** Only these parts. Default: all. */
  only: z.array(z.enum(initParts)).min(1).optional(),
  /** Whether the agents of sessions write their handoffs, for this user: `off` changes nothing else. */
  agent_writes: z.enum(['on', 'off']).optional(),
  /** Refuses unless the plan is still this one: the plan that somebody saw and agreed to. */
  plan_sha256: z.string().optional(),
});

type Input = z.output<typeof inputSchema>;

const fileSchema = z.strictObject({
  path: z.string(),
  part: z.enum(initParts),
  action: z.enum(['create', 'change', 'remove', 'none']),
  /** What changes, each line with `+`, `-` or a space before it; secrets in other people's lines are masked. */
  hunks: z.array(z.strictObject({ line: z.int(), lines: z.array(z.string()) })),
});

/** Registers Baton with the hosts of a project, or undoes that. */
export const projectInit = defineOperation({
  name: 'project.init',
  summary: 'Registers Baton for Claude Code, Codex and MCP clients in a project, or undoes that.',
  mutates: true,
  doors: { http: false },
  input: inputSchema,
  output: async () =>
    z.strictObject({
      undo: z.boolean(),
      scope: z.enum(initScopes),
      launcher: z.strictObject({ kind: z.string(), command: z.array(z.string()), reason: z.string() }),
      files: z.array(fileSchema),
      /** Whether the agents of sessions write their handoffs, for this user. */
      agents_write: z.boolean(),
      /** Whether anything was written; false where there was nothing to do, or only a plan was asked for. */
      written: z.boolean(),
      plan_sha256: z.string(),
      /** What a person should know or do besides. */
      remarks: z.array(z.string()),
      next: z.array(z.string()),
    }),
  errors: ['conflict', 'invalid_structure', 'parse_error', 'path_outside_root', 'unavailable'],
  run: async (input, context: OperationContext) => {
    const surroundings = surroundingsOf(input, context);
    const targets = input.agent_writes === 'off' ? [] : readTargets(surroundings);
    const files = targets.map(input.undo ? planUndo : planRegister);
    const plan_sha256 = hashPlan(files);
    assertAgreed(input, plan_sha256);
    const changes = files.flatMap(({ change }) => (change === undefined ? [] : [change]));
    if (!input.dry_run) {
      applyChanges(changes);
      for (const { stale_record } of files) if (stale_record !== undefined) writeRecord(stale_record, null);
      if (input.agent_writes !== undefined) keepAgentWrites(input.agent_writes === 'on', context.environment);
    }
    const { kind, hook, reason } = surroundings.launcher;
    return {
      undo: input.undo,
      scope: input.scope ?? 'project',
      launcher: { kind, command: [...hook], reason },
      files: files.map(describeFile),
      agents_write:
        input.agent_writes === undefined ? context.configuration.extractor === 'host' : input.agent_writes === 'on',
      written: !input.dry_run && changes.length > 0,
      plan_sha256,
      remarks: [...remarksOnWriting(input), ...(input.agent_writes === 'off' ? [] : remarksOf(input, surroundings))],
      next: input.undo || input.agent_writes === 'off' ? [] : nextSteps(input, surroundings),
    };
  },
});

function surroundingsOf({ undo, scope, only, hosts }: Input, context: OperationContext): TargetSurroundings {
  const { workspace, environment, program } = context;
  const running = program === undefined ? undefined : { script: program, node: process.execPath };
  const everywhere: readonly InitScope[] = ['project', 'local'];
  return {
    workspace,
    environment,
    launcher: chooseLauncher({
      ...(scope === 'user' ? {} : { workspace }),
      environment,
      platform: process.platform,
      running,
    }),
    hosts: hosts ?? (undo ? hostNames : findHosts(workspace, environment)),
    parts: only ?? initParts,
    scopes: scope !== undefined ? [scope] : undo ? everywhere : ['project'],
  };
}

function assertAgreed({ plan_sha256 }: Input, found: string): void {
  if (plan_sha256 === undefined || plan_sha256 === found) return;
  throw new HandoffError('conflict', 'A file has changed since the plan was shown. Nothing was written.', {
    details: { plan_sha256: found },
    alternatives: ['See the current plan: baton init --dry-run'],
  });
}

function describeFile({ target, action, text }: PlannedFile): z.input<typeof fileSchema> {
  const { path, text: before } = target.file;
  // Masked as wholes, so that a secret of several lines is found: no text of Baton looks like one.
  const hunks = action === 'none' ? [] : diffLines(maskSecrets(before).text, maskSecrets(text).text);
  return { path, part: target.part, action, hunks };
}

/**
 * Keeps in the user's own settings whether the agents of sessions write their handoffs; everything else there stays.
 *
 * @returns the file.
 * @throws ParseError or HandoffError `invalid_structure` for settings that cannot be read; nothing is written then.
 */
function keepAgentWrites(isWanted: boolean, environment: NodeJS.ProcessEnv): string {
  const path = userSettingsFile(environment);
  const before = existsSync(path) ? parseSettings(path, readFileSync(path, 'utf8')) : {};
  const { extractor: _extractor, ...others } = before;
  // Undoing is no reason to change another choice.
  const kept = isWanted ? { ...others, extractor: 'host' } : before.extractor === 'host' ? others : before;
  replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, 0o600);
  return path;
}

/** Lines that changed, with a few around them. */
interface Hunk {
  /** The first of its lines in the new text, or in the old one where the new one is empty; 1 is the first. */
  line: number;
  /** Each begins with `+` (added), `-` (removed) or a space (as it was). */
  lines: string[];
}

/** Lines shown before and after a change. */
const context_lines = 2;

/** The changes from one text to another, line by line. Line ends are not shown. */
function diffLines(before: string, after: string): Hunk[] {
  const { hunks } = structuredPatch('', '', plainEnds(before), plainEnds(after), '', '', { context: context_lines });
  return hunks.map(({ newStart, lines }) => ({
    line: Math.max(1, newStart),
    // git's remark about a missing last line end is no line.
    lines: lines.filter((line) => !line.startsWith('\\')),
  }));
}

/** With a line end after the last line too: whether it has one is no change of a line. */
function plainEnds(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n');
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
}
