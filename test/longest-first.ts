import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: one of them, begun last, would keep all other cores waiting. */
const longest = [
  'doors/catalogue',
  'operations/project-diagnose',
  'operations/store-kill',
  'hosts/broken-hooks',
  'hosts/sessions',
  'workspace/drift-histories',
  'stores/model',
  'stores/kill',
  'stores/faults/disk-faults',
  'handoff-store/processes',
  'handoff-files/processes',
  'doors/store-commands',
  'doors/command-line',
  'transcripts/hostile-transcripts',
  'transcripts/large-transcripts',
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
