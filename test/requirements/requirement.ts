/** The steps in which Baton is built; a requirement names the one that implements it. */
export const milestones = [
  'foundation',
  'hosts',
  'queue',
  'files',
  'plan-files',
  'extraction',
  'planning',
  'http',
  'studio',
  'postgres',
] as const;

/** Milestones that are done: each of their requirements must be cited by a test. */
export const done: readonly Milestone[] = [
  'foundation',
  'hosts',
  'queue',
  'files',
  'plan-files',
  'extraction',
  'planning',
  'http',
];

export type Milestone = (typeof milestones)[number];

export interface Requirement {
  /** The document and section that requires it, as `source 2, test cases`. */
  source: string;
  /** One sentence of behaviour. */
  behaviour: string;
  milestone: Milestone;
}
