import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: one of them, begun last, would keep all other cores waiting. */
const longest = [
  'hosts/recorded',
  'contributing',
  'doors/catalogue',
  'hosts/broken-hooks',
  'trust/hostile-repository',
  'hosts/sessions',
  'studio/flow',
  'operations/project-diagnose',
  'studio/detail',
  'studio/run-table',
  'stores/postgres/restart',
  'stores/postgres/contract',
  'doors/answers-in-short',
  'studio/run-survives',
  'doors/command-line',
  'workspace/drift-histories',
  'workspace/drift',
  'studio/brainstorm-states',
  'studio/run',
  'hosts/codex',
  'operations/planning-background',
  'operations/sessions',
  'tidy',
  'team-document',
  'stores/faults/disk-faults',
  'handoff-store/processes',
].map((name) => `/test/${name}.test.ts`);

/** The runner's own order, with the longest files before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
