import { askGit } from '../../workspace/git.ts';
import { findPrograms } from '../../workspace/hosts/find-program.ts';
import type { OperationContext } from '../context.ts';
import { type Finding, fine, problem, warning } from './diagnose-finding.ts';

/** No Baton is older than this. */
const earliest_ms = Date.UTC(2026, 0, 1);

/** What Baton needs of the machine besides Node: git, and a clock that is not years behind. */
export function diagnoseMachine(context: OperationContext): Finding[] {
  return [diagnoseGit(context), diagnoseClock(context.now())];
}

function diagnoseGit({ workspace, environment }: OperationContext): Finding {
  const [path] = findPrograms('git', workspace.root, environment);
  const isRepository = workspace.git_common_dir !== undefined;
  if (path === undefined) {
    const level = isRepository ? problem : warning;
    return level('git-not-found', {
      what: 'git is not on the PATH.',
      why: isRepository
        ? 'Branches and changed files cannot be told apart, and hooks in a repository fail.'
        : 'In a repository Baton needs it; here it works without.',
      next: 'Install git: https://git-scm.com',
    });
  }
  const told = askGit(workspace.root, ['--version']) ?? 'git';
  const where = isRepository ? workspace.root : `${workspace.root} is no repository; handoffs have no branch here`;
  return fine('git-found', `${told}: ${where}`);
}

function diagnoseClock(now_ms: number): Finding {
  const at = new Date(now_ms).toISOString();
  if (now_ms >= earliest_ms) return fine('clock-sane', `The clock says ${at}`);
  return problem('clock-wrong', {
    what: `The clock of this machine is wrong: it says ${at}.`,
    why: 'Leases and expiries go by it: they end too soon or too late.',
    next: 'Set the clock by the network.',
  });
}
