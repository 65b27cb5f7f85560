import { describeDrift, type FileDrift, hasDrifted } from '../core/drift.ts';
import type { Handoff } from '../core/handoff.ts';
import { showProject } from '../core/project-name.ts';
import { neutralizeLine } from './neutralize.ts';

type WaitingOn = NonNullable<Handoff['delivery']['waiting_on']>;

/** What a situation is rendered from. */
export interface SituationRequest {
  handoff: Handoff;
  /** Milliseconds since 1970: the age is counted to this time. */
  now_ms: number;
  /** SHA-256 of the rendered content next to it, where a hook puts both into a session: it proves their arrival. */
  offered_sha256?: string;
  /** What else waits that the receiver could go on from; default: nothing. */
  others?: readonly Handoff[];
  /** What became of the content's files in the receiver's work tree; default: not compared. */
  drift?: readonly FileDrift[];
}

/**
 * The block next to a rendered content: what changes with time and place, and so must not be in approved bytes. It
 * states which handoff this is, from whom, how old, in which state, whether a person reviewed it, and what to do next.
 */
export function renderSituation({
  handoff,
  now_ms,
  offered_sha256,
  others = [],
  drift = [],
}: SituationRequest): string {
  const { id, content, project, created_at } = handoff;
  const task = content.task_id === undefined ? '' : ` Task: ${quoteName(content.task_id)}.`;
  const lines = [
    `Handoff ${id} from ${quoteName(content.source_agent)}, created ${created_at} (${describeAge(Date.parse(created_at), now_ms)}).`,
    `Project: ${quoteName(showProject(project))}.${task}`,
    describeReview(handoff),
    ...(offered_sha256 === undefined ? describeState(handoff) : describeOffer(offered_sha256)),
    ...describeAttempts(handoff),
    ...describeFiles(drift, id),
    ...describeOthers(others),
  ];
  // As whole lines at the end: what is harmless in parts may be a tag when joined.
  return ['<handoff-situation>', ...lines.map(neutralizeLine), '</handoff-situation>', ''].join('\n');
}

const NAME_CHARACTERS_MAX = 120;
const WORDS_CHARACTERS_MAX = 2_000;

/** What others wrote, so that nothing in it reads like a line of ours: in one line, bounded, in quotes that it cannot close. */
function quote(text: string, characters_max: number): string {
  const characters = Array.from(neutralizeLine(text).replace(/["“”„‟«»\uFF02]/g, "'"));
  const isLong = characters.length > characters_max;
  return `"${characters.slice(0, characters_max).join('')}${isLong ? '…' : ''}"`;
}

function quoteName(text: string): string {
  return quote(text, NAME_CHARACTERS_MAX);
}

function quoteWords(text: string): string {
  return quote(text, WORDS_CHARACTERS_MAX);
}

const steps = [
  { word: 'day', ms: 86_400_000 },
  { word: 'hour', ms: 3_600_000 },
  { word: 'minute', ms: 60_000 },
];

/** An age in its largest unit; clocks that disagree by less than a minute, or run ahead, give "just now". */
export function describeAge(then_ms: number, now_ms: number): string {
  const age_ms = now_ms - then_ms;
  const step = steps.find(({ ms }) => age_ms >= ms);
  if (step === undefined) return 'just now';
  const count = Math.floor(age_ms / step.ms);
  return `${count} ${step.word}${count === 1 ? '' : 's'} ago`;
}

/** An approval counts only for the content that it was given for. */
function describeReview({ content, content_sha256, delivery }: Handoff): string {
  const { approval } = delivery;
  if (approval !== undefined && approval.content_sha256 === content_sha256) {
    return `Review: approved by ${quoteName(approval.by)} at ${approval.at}.`;
  }
  return content.origin?.by === 'person' ? 'Review: written by a person.' : 'Review: not reviewed by a person.';
}

/** A hook's text asks nothing of its reader: its presence in the transcript is the acknowledgement. */
function describeOffer(sha256: string): string[] {
  return [
    'State: put into this session when it began. Nothing has to be done to receive it: this text in the session’s transcript is the acknowledgement.',
    `Rendered: sha256 ${sha256}`,
  ];
}

function describeState({ id, delivery }: Handoff): string[] {
  const { state, lease, waiting_on, acknowledged_by, acknowledged_at, expires_at } = delivery;
  switch (state) {
    case 'draft':
      return [`State: draft. It can be claimed once it is approved: baton approve ${id}`];
    case 'open':
      return [`State: open${expires_at === undefined ? '' : ` until ${expires_at}`}. To take it: baton claim ${id}`];
    case 'claimed':
      return [
        `State: claimed by ${quoteName(lease?.holder ?? '')}, lease until ${lease?.expires_at}. With the token of the claim, when you have taken it over: baton ack ${id} --token TOKEN; if you cannot: baton release ${id} --token TOKEN`,
        ...(waiting_on?.answer === undefined ? [] : describeQuestion(waiting_on)),
      ];
    case 'waiting':
      return [
        `State: waiting for a person's answer. To answer: baton answer ${id}`,
        ...(waiting_on === undefined ? [] : describeQuestion(waiting_on)),
      ];
    case 'acknowledged':
      return [`State: acknowledged by ${quoteName(acknowledged_by ?? '')} at ${acknowledged_at}.`];
    default:
      return [`State: ${state}. To offer it again: baton reopen ${id}`];
  }
}

/** What the holder asked, and the answer where there is one. */
function describeQuestion({ question, asked_by, answer, answered_by }: WaitingOn): string[] {
  const asked = `Asked by ${quoteName(asked_by)}: ${quoteWords(question)}`;
  if (answer === undefined) return [asked];
  return [asked, `Answered by ${quoteName(answered_by ?? '')}: ${quoteWords(answer)}`];
}

/** Why earlier receivers gave it up: the next one should not run into the same wall. */
function describeAttempts({ delivery }: Handoff): string[] {
  const { attempts, max_attempts, failure } = delivery;
  if (failure === undefined && attempts < 2) return [];
  const count = `Attempt ${attempts} of ${max_attempts}.`;
  if (failure === undefined) return [`${count} Earlier ones ended without an answer.`];
  return [`${count} Failed before, by ${quoteName(failure.by)} at ${failure.at}: ${quoteWords(failure.reason)}`];
}

/** One line, so that a handoff that an agent wrote is not hidden by one that a hook saved later. */
function describeOthers(others: readonly Handoff[]): string[] {
  if (others.length === 0) return [];
  const named = others.map(
    ({ id, content }) => `${id} from ${quote(content.source_agent, 40)}: ${quote(content.title, 80)}`,
  );
  return [`Also open for this branch, to be claimed by id: ${named.join('; ')}.`];
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
  return [`Files since then: ${parts.join('; ')}.`];
}

/** A longer name would crowd out the others; the content has it whole. */
const PATH_CHARACTERS_MAX = 160;

function cutPath(path: string): string {
  return path.length > PATH_CHARACTERS_MAX ? `…${path.slice(-PATH_CHARACTERS_MAX)}` : path;
}
