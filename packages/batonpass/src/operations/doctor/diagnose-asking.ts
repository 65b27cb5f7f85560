import { type HostName, hosts, isHostName } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { Allowance, type AskingState } from '../../written/allowance.ts';
import type { OperationContext } from '../context.ts';
import { type Finding, fine, warning } from './diagnose-finding.ts';

const turnOff = 'To turn it off: baton init --agent-writes off';

/** The state of asking agents of sessions: today's cost, which hosts are not asked, and why the last call gave nothing. */
export function diagnoseAsking({ configuration, environment, now }: OperationContext): Finding[] {
  if (configuration.extractor !== 'host') return [];
  const now_ms = now();
  const state = new Allowance(environment, now_ms).read();
  const resting = Object.entries(state.resting).filter(([, { until }]) => Date.parse(until) > now_ms);
  return [
    fine('agents-asked', `After a session its own agent writes the handoff. ${costOf(state)} ${turnOff}`),
    ...resting.map(([host, { until, reason }]) =>
      warning('agents-not-asked', {
        about: host,
        what: `${titleOf(host)} did not answer, and is left alone until ${until}: ${reason}`,
        why: 'Until then handoffs are made by rules alone.',
        next: `See that ${titleOf(host)} works by itself: log in, or wait for its limit. ${turnOff}`,
      }),
    ),
    ...(state.problem === undefined || state.resting[state.problem.host]?.reason === state.problem.reason
      ? []
      : [
          warning('agents-not-asked', {
            about: state.problem.host,
            what: `${titleOf(state.problem.host)}, at ${state.problem.at}, wrote nothing: ${state.problem.reason}`,
            why: 'That session has the handoff that rules made.',
            next: turnOff,
          }),
        ]),
  ];
}

function costOf({ calls, input_tokens, output_tokens }: AskingState): string {
  const tokens = `${input_tokens} tokens read and ${output_tokens} written`;
  return `Today: ${calls} of ${limits.written_calls_a_day} calls, ${tokens}.`;
}

function titleOf(host: HostName | string): string {
  return isHostName(host) ? hosts[host].title : host;
}
