import type { Evidence } from '../core/evidence.ts';
import type { EarlierWord } from './earlier-words.ts';
import type { RefusedItem } from './extraction-report.ts';
import type { StandingInstruction } from './standing-instructions.ts';
import type { StateFact } from './where-it-stands.ts';

/** What an extractor finds in a conversation: explicit items first, implied ones last, each with its evidence. */
export interface Extraction {
  /** The state of the work at the end. */
  where_it_stands: StateFact[];
  /** Standing orders of the person. */
  instructions: StandingInstruction[];
  /** Commands that worked, the newest first. */
  environment: ExtractedCommand[];
  /** The conversation's sentences by rank. */
  words: EarlierWord[];
  decisions: ExtractedDecision[];
  /** Decisions from before the conversation that it replaced or restated, in their words; empty where none were given. */
  revoked: string[];
  files: ExtractedFile[];
  risks: ExtractedRisk[];
  /** What was tried and abandoned: commands that failed, and ways that somebody says led nowhere. */
  tried: ExtractedAttempt[];
  next_steps: ExtractedStatement[];
  open_questions: ExtractedStatement[];
  /** What the tool calls prove: files written and commands that ran, without judgement. */
  results: ExtractedResult[];
  /** What was asked for, in one line; empty where nobody asked anything. */
  title: string;
  /** Two or three sentences made of what was said. */
  summary: string;
  /** What a model named and was not believed; absent where nothing was. */
  refused?: RefusedItem[];
  /** What was left out because a bound was reached, in words; empty where nothing was. */
  cut: string[];
}

/** A choice in force at the end of the conversation. */
export interface ExtractedDecision {
  content: string;
  /** 1 where the user said or ratified it in words, 0.5 where the assistant stated it and nobody objected. */
  confidence: number;
  evidence: Evidence;
  /** Further passages that state it: the proposal that a short "yes" accepts. */
  support?: Evidence[];
  /** The earlier choices that it replaced, in words. */
  supersedes?: string[];
  /** The person chose it when the host asked: nothing in it is a guess. */
  isAnswer?: true;
}

/** A file of the project that the conversation touched or named. */
export interface ExtractedFile {
  path: string;
  relevance: 'high' | 'medium' | 'low';
  /** One sentence on why it matters. */
  context: string;
  /** Absent where only a tool call names the file. */
  evidence?: Evidence;
}

/** Something that may go wrong, as somebody said it. */
export interface ExtractedRisk {
  description: string;
  severity: 'high' | 'medium' | 'low';
  evidence: Evidence;
}

/** A next step or an open question, in words. */
export interface ExtractedStatement {
  content: string;
  evidence: Evidence;
}

/** What was found out of the environment: a command that worked, as it can be run again. */
export interface ExtractedCommand {
  content: string;
  /** Absent where tool calls prove it. */
  evidence?: Evidence;
}

/** Something that was tried and abandoned, and how it ended. */
export interface ExtractedAttempt {
  what: string;
  outcome: string;
}

/** What tool calls prove to have been done, or to have failed. */
export interface ExtractedResult {
  description: string;
  status: 'completed' | 'failed';
  artifacts?: string[];
}
