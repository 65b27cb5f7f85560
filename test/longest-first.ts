import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: one of them, begun last, would keep all other cores waiting. */
const longest = [
  'hosts/recorded',
  'doors/catalogue',
  'hosts/sessions',
  'contributing',
  'studio/flow',
  'operations/project-diagnose',
  'studio/run-survives',
  'hosts/broken-hooks',
  'studio/detail',
  'studio/review',
  'trust/hostile-repository',
  'studio/run',
  'studio/inbox',
  'hosts/codex',
  'react/review-screen',
  'studio/brainstorm-states',
  'studio/home',
  'doors/command-line',
  'written/asking',
  'stores/postgres/restart',
  'stores/postgres/unruly',
  'written/following',
  'disk/lock',
  'studio/reconnect',
  'doors/demo',
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
