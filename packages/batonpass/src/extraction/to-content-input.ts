import type { ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import type { PartlyEvidenced } from './partly-evidenced.ts';
import { toGivenTitle } from './title.ts';

const titleCharactersMax = 80;

/** The record's fields from an extraction; texts and lists beyond the limits are cut and marked as cut. */
export function toContentInput(extraction: PartlyEvidenced, conversation: Conversation): ContentInput {
  const { host, session, branch } = conversation;
  const origin = {
    host: cut(host, limits.name_characters_max),
    ...(session === undefined ? {} : { session: cut(session, limits.name_characters_max) }),
    ...(branch === undefined ? {} : { branch: cut(branch, limits.name_characters_max) }),
    ...(extraction.refused !== undefined && {
      refused: extraction.refused
        .slice(0, limits.refused_items_max)
        .map(({ kind, content }) => ({ kind, content: cut(content, limits.name_characters_max) })),
    }),
  };
  return {
    kind: 'context',
    title: readTitle(extraction, conversation),
    summary: cut([extraction.summary, ...extraction.cut].join(' '), limits.summary_characters_max),
    where_it_stands: extraction.where_it_stands.map((fact) => ({
      ...fact,
      content: cut(fact.content, limits.entry_characters_max),
    })),
    instructions: extraction.instructions.map(({ content, evidence, times }) => ({
      content,
      evidence,
      ...(times > 1 && { times }),
      source: 'ai-extracted' as const,
    })),
    environment: extraction.environment.map(({ content, evidence }) =>
      evidence === undefined
        ? { content, source: 'mechanical' as const }
        : { content, evidence, source: 'ai-extracted' as const },
    ),
    words: extraction.words,
    decisions: extraction.decisions.map(({ content, confidence, evidence, support, supersedes }) => ({
      content: cut(content, limits.entry_characters_max),
      source: 'ai-extracted' as const,
      confidence,
      evidence,
      ...(support === undefined ? {} : { support }),
      ...(supersedes === undefined
        ? {}
        : {
            supersedes: supersedes.slice(-limits.entries_max).map((entry) => cut(entry, limits.entry_characters_max)),
          }),
    })),
    // A path that is cut names another file, so that a longer one is left out.
    files: extraction.files.filter(({ path }) => path.length <= limits.name_characters_max),
    risks: extraction.risks.map((risk) => ({
      ...risk,
      description: cut(risk.description, limits.entry_characters_max),
    })),
    tried: extraction.tried,
    next_steps: extraction.next_steps.map(({ content }) => cut(content, limits.entry_characters_max)),
    open_questions: extraction.open_questions.map(({ content }) => cut(content, limits.entry_characters_max)),
    results: extraction.results,
    origin,
  };
}

/** The name that the session was given, else what its host or the person said that it is about, in one line. */
function readTitle(extraction: PartlyEvidenced, conversation: Conversation): string {
  const summary = extraction.summary.replace(/(?<=^|\s)(?:Decided|Next|Open): /g, '');
  const recap = conversation.recap?.text.replace(/^(?:\p{L}+: |You asked (?:me )?to |The goal is to )/u, '');
  const found =
    toGivenTitle(conversation.title) || capital(toGivenTitle(recap)) || extraction.title || toGivenTitle(summary);
  const line = found.replace(/[\s.:;,]+$/, '');
  return cutAtWord(line, titleCharactersMax) || `Conversation of ${conversation.host}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function cutAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text
    .slice(0, charactersMax - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = head.lastIndexOf(' ');
  return `${space > charactersMax / 2 ? head.slice(0, space) : head}…`;
}

function cut(text: string, charactersMax: number): string {
  const mark = ' [cut]';
  return text.length <= charactersMax ? text : text.slice(0, charactersMax - mark.length).toWellFormed() + mark;
}
