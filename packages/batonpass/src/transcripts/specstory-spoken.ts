import { questionTool, readSpokenResult } from './claude-code-text.ts';
import { describeAnswer } from './question-tool.ts';
import { lastFence, readBlock, readResult } from './specstory-blocks.ts';

/** What was asked and answered in a block of the host's own question tool, in the order of speech; else why a call was turned down. */
export function readSpoken(name: string, block: string): { role: 'assistant' | 'user'; text: string }[] {
  const { body } = readBlock(block);
  if (!questionTools.has(name)) {
    const text = readSpokenResult(lastFence(body) ?? '', name);
    return text === '' ? [] : [{ role: 'user', text }];
  }
  const [first = '', ...rest] = withAnswer(body).split(/^\*\*Answer:\*\*[ \t]*/m);
  let asked = first;
  const parts = rest.flatMap((part) => {
    const next = part.search(/^\*\*/m);
    const question = /^\*\*(?<question>[^\n]{1,1000}?)\*\*$/m.exec(asked)?.groups?.question;
    const said = (next === -1 ? part : part.slice(0, next)).trim();
    asked = next === -1 ? '' : part.slice(next);
    return [
      { role: 'user' as const, text: question === undefined ? said : describeAnswer(question, said) },
      { role: 'assistant' as const, text: asked.trim() },
    ];
  });
  return [{ role: 'assistant' as const, text: first.trim() }, ...parts].filter(({ text }) => text !== '');
}

/** The tools that ask the person: of Claude Code, Factory's Droid and Antigravity. */
const questionTools: ReadonlySet<string> = new Set([questionTool, 'AskUser', 'ask_question']);

/** What the person answered to Antigravity's questions is the tool's output. */
function withAnswer(body: string): string {
  const at = body.search(/^Output:(?: |$)/m);
  return at === -1 ? body : `${body.slice(0, at)}**Answer:** ${readResult(body.slice(at)) ?? ''}`;
}

/** The plan that the person approved, which Claude Code repeats in what its tool gave. */
export function readApprovedPlan(block: string): string {
  const { name, body } = readBlock(block);
  const result = name === 'ExitPlanMode' ? (readResult(body) ?? '') : '';
  const plan = /^## Approved Plan[^\n]{0,40}\n/m.exec(result);
  return plan === null || !result.startsWith('User has approved')
    ? ''
    : result.slice(plan.index + plan[0].length).trim();
}
