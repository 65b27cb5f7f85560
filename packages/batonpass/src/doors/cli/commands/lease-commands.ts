import { stripVTControlCharacters } from 'node:util';
import type { Handoff } from '../../../core/handoff.ts';
import { findToken } from '../../../operations/terminal-tokens.ts';
import { type CommandOption, defineCommand, type Given, underItsKey } from '../command.ts';
import { parseLease } from '../duration.ts';
import { parseJson } from '../given-content.ts';
import { describeState, endOf, shortId } from '../present/handoff-line.ts';
import { nextForAnswered, nextForAsked, nextForOffered } from '../present/next-steps.ts';
import { oneLine, type View } from '../present/view.ts';

/** The commands that take one step with one handoff. They show the same thing: its state afterwards. */

const id = { flags: '<id>', description: 'the handoff, or the last characters of its id' };

const token: CommandOption = {
  flags: '--token <token>',
  description: 'the token from the claim; not needed in the terminal that claimed',
};

const lease: CommandOption = {
  flags: '--lease <duration>',
  description: 'how long the lease runs, e.g. 15m',
  parse: parseLease,
};

const reason: CommandOption = { flags: '--reason <text>', description: 'why, for the history' };

const forcing: readonly CommandOption[] = [
  { flags: '--force', description: 'end another holder’s lease: for a person, asks first' },
  { flags: '--dry-run', description: 'show whose lease --force would end, and change nothing' },
];

/** The state of a handoff after a step, on one line. */
export function presentStep(handoff: Handoff, view: View): string {
  const { delivery, content } = handoff;
  const until = delivery.lease?.expires_at === undefined ? '' : ` until ${endOf(delivery.lease.expires_at, view)}`;
  const start = `${shortId(handoff.id)}  ${describeState(handoff, view)}${until}  `;
  return `${start}${oneLine(content.title, Math.max(1, view.width - stripVTControlCharacters(start).length))}`;
}

const idOf = (given: Given) => given.arguments[0] ?? '';
const textOf = (given: Given, name: string) => given.options[name] as string | undefined;
const durationOf = (given: Given) => given.options.lease as number | undefined;
/** The token that was typed, else the token of the claim at this terminal. */
const knownTokenOf = (given: Given) => textOf(given, 'token') ?? findToken(idOf(given), process.env);
/** The operation refuses an unknown token and reports where a token comes from. */
const tokenOf = (given: Given) => knownTokenOf(given) ?? '';

export const renew = defineCommand({
  name: 'renew',
  arguments: [id],
  summary: 'Renew your lease on a handoff',
  options: [token, lease],
  examples: [{ line: 'baton renew 7QX4M2AB --token TOKEN --lease 30m', what: 'half an hour from now' }],
  operation: 'handoff.renew',
  toInput: (given) => ({ id: idOf(given), token: tokenOf(given), lease_ms: durationOf(given) }),
  present: presentStep,
  toJson: underItsKey,
});

export const report = defineCommand({
  name: 'report',
  arguments: [id, { flags: '<text>', description: 'the progress of the work' }],
  summary: 'Report progress on a handoff: adds a line to its history',
  options: [token, { flags: '--data <json>', description: 'data for programs, as JSON', parse: parseData }],
  examples: [
    { line: 'baton report 7QX4M2AB "Half of the tests pass" --token TOKEN', what: 'shown by `baton log`' },
    { line: `baton report 7QX4M2AB "Step 3" --token TOKEN --data '{"files":4}'`, what: 'with data for programs' },
  ],
  operation: 'handoff.report',
  toInput: (given) => ({
    id: idOf(given),
    token: tokenOf(given),
    text: given.arguments[1] ?? '',
    data: given.options.data,
  }),
  present: presentStep,
  toJson: underItsKey,
});

function parseData(text: string): unknown {
  return parseJson('--data', text);
}

export const acknowledge = defineCommand({
  name: 'ack',
  arguments: [id],
  summary: 'Confirm that you received a handoff and took it over',
  options: [token],
  examples: [
    { line: 'baton ack 7QX4M2AB', what: 'what you claimed at this terminal' },
    { line: 'baton ack 7QX4M2AB --token TOKEN', what: 'what you claimed elsewhere' },
    { line: 'baton ack 7QX4M2AB', what: 'an open handoff that you only read' },
  ],
  operation: 'handoff.acknowledge',
  toInput: (given) => ({ id: idOf(given), token: knownTokenOf(given) }),
  present: presentStep,
  toJson: underItsKey,
});

export const release = defineCommand({
  name: 'release',
  arguments: [id],
  summary: 'Return a handoff to its place in the queue',
  options: [token, reason, ...forcing],
  examples: [
    { line: 'baton release 7QX4M2AB --token TOKEN --reason "wrong branch"', what: 'somebody else can claim it' },
    { line: 'baton release 7QX4M2AB --force', what: 'a person ends another holder’s lease; asks first' },
  ],
  operation: 'handoff.release',
  instead: ({ options }) => (options.force === true || options.dryRun === true ? forcedRelease : undefined),
  toInput: (given) => ({ id: idOf(given), token: knownTokenOf(given), reason: textOf(given, 'reason') }),
  present: presentStep,
  toJson: underItsKey,
  remark: nextForOffered,
});

export const fail = defineCommand({
  name: 'fail',
  arguments: [id],
  summary: 'Report that the work failed; it is offered again after a delay',
  options: [token, reason],
  examples: [
    { line: 'baton fail 7QX4M2AB --token TOKEN --reason "tests need a database"', what: 'with what went wrong' },
  ],
  operation: 'handoff.fail',
  toInput: (given) => ({ id: idOf(given), token: tokenOf(given), reason: textOf(given, 'reason') ?? '' }),
  present: presentStep,
  toJson: underItsKey,
  remark: nextForOffered,
});

export const ask = defineCommand({
  name: 'ask',
  arguments: [id, { flags: '<question>', description: 'what a person has to answer' }],
  summary: 'Ask a person a question; your lease is paused until the answer',
  options: [token],
  examples: [{ line: 'baton ask 7QX4M2AB "Keep the old endpoint?" --token TOKEN', what: 'it waits for an answer' }],
  operation: 'handoff.ask',
  toInput: (given) => ({ id: idOf(given), token: tokenOf(given), question: given.arguments[1] ?? '' }),
  present: presentStep,
  toJson: underItsKey,
  remark: nextForAsked,
});

export const answer = defineCommand({
  name: 'answer',
  arguments: [id, { flags: '<answer>', description: 'your answer' }],
  summary: 'Answer a waiting handoff; its holder continues',
  options: [lease],
  examples: [{ line: 'baton answer 7QX4M2AB "Yes, until March"', what: 'the holder gets a new lease' }],
  operation: 'handoff.answer',
  toInput: (given) => ({ id: idOf(given), answer: given.arguments[1] ?? '', lease_ms: durationOf(given) }),
  present: presentStep,
  toJson: underItsKey,
  remark: nextForAnswered,
});

export const withdraw = defineCommand({
  name: 'withdraw',
  arguments: [id],
  summary: 'Withdraw a handoff that nobody holds',
  options: [reason, ...forcing],
  examples: [
    { line: 'baton withdraw 7QX4M2AB --reason "done already"', what: '`baton reopen` undoes it' },
    { line: 'baton withdraw 7QX4M2AB --force', what: 'a person ends another holder’s lease; asks first' },
  ],
  operation: 'handoff.withdraw',
  instead: ({ options }) => (options.force === true || options.dryRun === true ? forcedWithdraw : undefined),
  toInput: (given) => ({ id: idOf(given), reason: textOf(given, 'reason') }),
  present: presentStep,
  toJson: underItsKey,
  remark: ({ id }, view) => view.style('gray', `Undo: baton reopen ${shortId(id)}`),
});

export const reopen = defineCommand({
  name: 'reopen',
  arguments: [id],
  summary: 'Open a dead, expired or withdrawn handoff again',
  options: [reason],
  examples: [{ line: 'baton reopen 7QX4M2AB', what: 'with its attempts reset to zero' }],
  operation: 'handoff.reopen',
  toInput: (given) => ({ id: idOf(given), reason: textOf(given, 'reason') }),
  present: presentStep,
  toJson: underItsKey,
  remark: nextForOffered,
});

/** Ends a lease whose token is not at hand. Without a terminal nobody is asked, and the operation refuses it. */
function forced(to: 'open' | 'withdrawn', question: string) {
  return defineCommand({
    name: to === 'open' ? 'release' : 'withdraw',
    arguments: [id],
    summary: 'End another holder’s lease',
    examples: [],
    operation: 'handoff.break',
    toInput: (given) => ({
      id: idOf(given),
      to,
      reason: textOf(given, 'reason'),
      dry_run: given.options.dryRun === true,
    }),
    confirm: {
      isWanted: ({ options }) => options.dryRun !== true,
      rehearse: (input) => ({ ...input, dry_run: true }),
      agree: (input, { id, delivery }) => ({ ...input, id, if_fence: delivery.fence, dry_run: false }),
      question,
      refused: 'Nothing was changed.',
    },
    present: presentHeld,
    toJson: underItsKey,
  });
}

const forcedRelease = forced('open', 'End this lease and offer the handoff again?');
const forcedWithdraw = forced('withdrawn', 'End this lease and withdraw the handoff?');

/** As after any step, with the holder of the lease that is about to end. */
function presentHeld(handoff: Handoff, view: View): string {
  const { lease } = handoff.delivery;
  const holder = lease === undefined ? '' : `\nheld by ${oneLine(lease.holder, view.width - 8)}`;
  return `${presentStep(handoff, view)}${holder}`;
}
