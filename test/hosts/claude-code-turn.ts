import { truncateSync, writeFileSync } from 'node:fs';
import { createClaudeCode } from './claude-code.ts';

/**
 * `claude -p`, as a program: one turn with the hooks of the project and the model that the environment names. Its first word
 * says how it fails: `works`; `deaf`, the model gets nothing of a hook; `forgetful`, its record shows nothing; `hangs`.
 */
async function main([manner, file = '', option = '', prompt = '']: readonly string[]): Promise<void> {
  if (option === '--version') {
    process.stdout.write('2.1.197 (Claude Code)\n');
    return;
  }
  writeFileSync(file, JSON.stringify({ pid: process.pid, environment: process.env }));
  if (manner === 'hangs') {
    setInterval(() => {}, 1_000);
    return;
  }
  const { HOME: home = '', ANTHROPIC_BASE_URL: url = '' } = process.env;
  const host = createClaudeCode({ project: process.cwd(), home, environment: process.env });
  const given = [...(await host.startSession({ interactive: false })), ...(await host.prompt(prompt))];
  const texts = [...(manner === 'deaf' ? [] : given), prompt].map((text) => ({ type: 'text', text }));
  const body = JSON.stringify({ messages: [{ role: 'user', content: texts }] });
  await fetch(`${url}/v1/messages`, { method: 'POST', body });
  host.say('assistant', 'Noted.');
  if (manner === 'forgetful') truncateSync(host.transcript_path);
  await host.stop();
  await host.endSession();
}

await main(process.argv.slice(2));
