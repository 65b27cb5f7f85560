import {
  type BaseFrontmatter,
  type Confidence,
  type FindingsFrontmatter,
  type formatTimestamp,
  type getNextVersion,
  HandOffService,
  type HandoffFile,
  type HandoffStatus,
  type HandoffType,
  type nextHandoffFile,
  type PlanFrontmatter,
  type ProblemFrontmatter,
  parseHandoffFile,
  type writeHandoffFile,
} from 'batonpass';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T => true as T;

is<Same<HandoffType, 'findings' | 'plan' | 'problem'>>();
is<Same<HandoffStatus, 'complete' | 'partial' | 'failed'>>();
is<Same<Confidence, 'high' | 'medium' | 'low'>>();
is<Same<BaseFrontmatter['version' | 'created' | 'phase' | 'agent'], string>>();
is<Same<keyof BaseFrontmatter, 'version' | 'type' | 'status' | 'created' | 'phase' | 'agent'>>();
is<Same<[BaseFrontmatter['type'], BaseFrontmatter['status']], [HandoffType, HandoffStatus]>>();
is<Same<Exclude<keyof FindingsFrontmatter, keyof BaseFrontmatter>, 'confidence'>>();
is<Same<FindingsFrontmatter['confidence'], Confidence>>();
is<Same<Exclude<keyof PlanFrontmatter, keyof BaseFrontmatter>, 'tasks_created' | 'task_ids'>>();
is<Same<[PlanFrontmatter['tasks_created'], PlanFrontmatter['task_ids']], [number, string[]]>>();
is<Same<Exclude<keyof ProblemFrontmatter, keyof BaseFrontmatter>, 'severity' | 'related_task'>>();
is<
  Same<[ProblemFrontmatter['severity'], ProblemFrontmatter['related_task']], ['blocker' | 'warning' | 'info', string]>
>();
is<Same<[HandoffFile<PlanFrontmatter>['frontmatter'], HandoffFile<1>['body']], [PlanFrontmatter, string]>>();
is<FindingsFrontmatter | PlanFrontmatter | ProblemFrontmatter extends BaseFrontmatter ? true : false>();
is<Same<Parameters<typeof parseHandoffFile>, [path: string]>>();
is<Same<Awaited<ReturnType<typeof parseHandoffFile<PlanFrontmatter>>>, HandoffFile<PlanFrontmatter>>>();
is<
  Same<Parameters<typeof writeHandoffFile<PlanFrontmatter>>, [dir: string, frontmatter: PlanFrontmatter, body: string]>
>();
is<Same<ReturnType<typeof writeHandoffFile>, Promise<string>>>();
is<Same<Parameters<typeof getNextVersion>, [dir: string, type: HandoffType]>>();
is<Same<ReturnType<typeof getNextVersion>, Promise<string>>>();
is<Same<ReturnType<typeof formatTimestamp>, string>>();
const read = await parseHandoffFile('findings-001.md');
is<Same<typeof read.frontmatter, FindingsFrontmatter | PlanFrontmatter | ProblemFrontmatter>>();
if (read.frontmatter.type === 'plan') is<Same<typeof read.frontmatter, PlanFrontmatter>>();
const queue = new HandOffService(':memory:');
const claimed = await queue.claimHandoff<{ summary: string }>('task');
is<Same<NonNullable<typeof claimed>['payload'], { summary: string }>>();
const nothing: Parameters<typeof formatTimestamp> = [];
is<Same<ReturnType<typeof nextHandoffFile>, Promise<string>>>();

export { nothing };
