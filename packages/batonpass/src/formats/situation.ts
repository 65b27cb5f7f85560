import { describeDrift, type FileDrift, hasDrifted } from '../core/drift.ts';
import type { Handoff } from '../core/handoff.ts';
import { neutralizeLine } from './neutralize.ts';

/** What a situation is rendered from. */
export interface SituationRequest {
  handoff: Handoff;
  /** Milliseconds since 1970: what the age is told from. */
  now_ms: number;
  /** SHA-256 of the rendered content beside it, where a hook puts both into a session: what proves their arrival. */
  offered_sha256?: string;
  /** What else waits that the receiver could go on from; default: nothing. */
  others?: readonly Handoff[];
  /** What became of the content's files in the receiver's work tree; default: not compared. */
  drift?: readonly FileDrift[];
}

/**
 * The block beside a rendered content: what changes with time and place, and so must not stand in approved bytes. It
 * says which handoff this is, from whom, how old, in which state, whether a person reviewed it, and what to do next.
 */
export function renderSituation({
  handoff,
  now_ms,
  offered_sha256,
  others = [],
  drift = [],
}: SituationRequest): string {
  const { id, content, project, created_at } = handoff;
  const task = content.task_id === undefined ? '' : ` Task: ${neutralizeLine(content.task_id)}.`;
  return [
    '<handoff-situation>',
    `Handoff ${neutralizeLine(id)} from ${neutralizeLine(content.source_agent)}, created ${created_at} (${describeAge(Date.parse(created_at), now_ms)}).`,
    `Project: ${neutralizeLine(project)}.${task}`,
    describeReview(handoff),
    ...(offered_sha256 === undefined ? [describeState(handoff)] : describeOffer(offered_sha256)),
    ...describeAttempts(handoff),
    ...describeFiles(drift, id),
    ...describeOthers(others),
    '</handoff-situation>',
    '',
  ].join('\n');
}

const steps = [
  { word: 'day', ms: 86_400_000 },
  { word: 'hour', ms: 3_600_000 },
  { word: 'minute', ms: 60_000 },
];

/** An age in its largest unit; clocks that disagree by less than a minute, or run ahead, give "just now". */
function describeAge(then_ms: number, now_ms: number): string {
  const age_ms = now_ms - then_ms;
  const step = steps.find(({ ms }) => age_ms >= ms);
  if (step === undefined) return 'just now';
  const count = Math.floor(age_ms / step.ms);
  return `${count} ${step.word}${count === 1 ? '' : 's'} ago`;
}

/** An approval counts only for the content that it was given for. */
function describeReview({ content_sha256, delivery }: Handoff): string {
  const { approval } = delivery;
  if (approval === undefined || approval.content_sha256 !== content_sha256) return 'Review: not reviewed by a person.';
  return `Review: approved by ${neutralizeLine(approval.by)} at ${approval.at}.`;
}

/** A hook's text asks nothing of its reader: standing in the transcript is its acknowledgement. */
function describeOffer(sha256: string): string[] {
  return [
    'State: put into this session when it began. Nothing has to be done to receive it: this text in the session’s transcript is the acknowledgement.',
    `Rendered: sha256 ${sha256}`,
  ];
}

function describeState({ id, delivery }: Handoff): string {
  const { state, lease, waiting_on, acknowledged_by, acknowledged_at, expires_at } = delivery;
  switch (state) {
    case 'draft':
      return `State: draft. It can be claimed once it is approved: baton approve ${id}`;
    case 'open':
      return `State: open${expires_at === undefined ? '' : ` until ${expires_at}`}. To take it: baton claim ${id}`;
    case 'claimed':
      return `State: claimed by ${neutralizeLine(lease?.holder ?? '')}, lease until ${lease?.expires_at}. With the token of the claim, when you have taken it in: baton ack ${id} --token TOKEN; if you cannot: baton release ${id} --token TOKEN${describeAnswer(waiting_on)}`;
    case 'waiting':
      return `State: waiting for a person's answer to ${neutralizeLine(waiting_on?.asked_by ?? '')}: ${neutralizeLine(waiting_on?.question ?? '')} To answer: baton answer ${id}`;
    case 'acknowledged':
      return `State: acknowledged by ${neutralizeLine(acknowledged_by ?? '')} at ${acknowledged_at}.`;
    default:
      return `State: ${state}. To offer it again: baton reopen ${id}`;
  }
}

/** What the holder had asked, and what it was told. */
function describeAnswer(waiting_on: Handoff['delivery']['waiting_on']): string {
  if (waiting_on?.answer === undefined) return '';
  const { question, answer, answered_by } = waiting_on;
  return `\nAsked: ${neutralizeLine(question)} Answered by ${neutralizeLine(answered_by ?? '')}: ${neutralizeLine(answer)}`;
}

/** Why earlier receivers gave it up: the next one should not run into the same wall. */
function describeAttempts({ delivery }: Handoff): string[] {
  const { attempts, max_attempts, failure } = delivery;
  if (failure === undefined && attempts < 2) return [];
  const count = `Attempt ${attempts} of ${max_attempts}.`;
  if (failure === undefined) return [`${count} Earlier ones ended without an answer.`];
  return [`${count} Failed before, ${neutralizeLine(failure.by)} at ${failure.at}: ${neutralizeLine(failure.reason)}`];
}

/** One line, so that what an agent wrote is not hidden behind what a hook saved later. */
function describeOthers(others: readonly Handoff[]): string[] {
  if (others.length === 0) return [];
  const named = others.map(
    ({ id, content }) => `${id} from ${content.source_agent.slice(0, 40)}: ${content.title.slice(0, 80)}`,
  );
  return [neutralizeLine(`Also open for this branch, to be claimed by id: ${named.join('; ')}.`)];
}

/** A receiver needs to know what changed; so many files are named, and the command shows the others. */
const DRIFT_NAMED_MAX = 8;

/** One line that counts what is as it was and names what is not; none where nothing was recorded. */
function describeFiles(drift: readonly FileDrift[], id: string): string[] {
  const compared = drift.filter(({ verdict }) => verdict !== 'no-git');
  if (compared.length === 0) return [];
  const unchanged = compared.filter(({ verdict }) => verdict === 'unchanged').length;
  const unknown = compared.filter(({ verdict }) => verdict === 'unknown');
  const notable = [...compared.filter(hasDrifted), ...unknown];
  const left = notable.length - DRIFT_NAMED_MAX;
  const parts = [
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
    ...notable.slice(0, DRIFT_NAMED_MAX).map((file) => describeDrift(file, cutPath)),
    ...(left > 0 ? [`${left} more: baton check ${id}`] : []),
  ];
  // As one line at the end: what is harmless in parts may be a tag when joined.
  return [neutralizeLine(`Files since then: ${parts.join('; ')}.`)];
}

/** A longer name would crowd out the others; the content has it whole. */
const PATH_CHARACTERS_MAX = 160;

function cutPath(path: string): string {
  return path.length > PATH_CHARACTERS_MAX ? `…${path.slice(-PATH_CHARACTERS_MAX)}` : path;
}
