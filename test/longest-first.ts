import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: one of them, begun last, would keep all other cores waiting. */
const longest = [
  'contributing',
  'doors/catalogue',
  'hosts/recorded',
  'hosts/sessions',
  'operations/project-diagnose',
  'transcripts/hostile-transcripts',
  'trust/hostile-repository',
  'stores/faults/disk-faults',
  'studio/flow',
  'hosts/broken-hooks',
  'doors/command-line',
  'studio/run-survives',
  'transcripts/large-transcripts',
  'trust/hostile-registration',
  'operations/store-kill',
  'studio/detail',
  'studio/run',
  'handoff-files/package',
  'tidy',
  'studio/brainstorm-states',
  'doors/presentation',
  'studio/run-table',
  'doors/init-command',
  'written/asking',
  'transcripts/spoken-secrets',
  'doors/store-commands',
  'doors/demo',
  'stores/postgres/restart',
  'written/following',
  'handoff-store/processes',
  'hosts/codex',
  'studio/inbox',
  'hosts/hook-time',
  'studio/reconnect',
  'mutations/mutations',
  'doors/mcp',
  'stores/faults/power-cut',
  'workspace/drift-histories',
  'stores/faults/opening-faults',
  'studio/review',
  'react/review-screen',
  'studio/home',
  'stores/postgres/unruly',
  'disk/lock',
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
