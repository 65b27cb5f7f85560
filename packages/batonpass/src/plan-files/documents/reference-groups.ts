/** The sections of `references.md`, in its order. */
export const referenceSections = ['issue', 'file', 'adr', 'interface', 'external', 'dependency'] as const;

/** A section: that of the issue, or that of one type of references. */
export type ReferenceSection = (typeof referenceSections)[number];

/** The kinds of a reference, in the words of requests. */
export const referenceTypes = ['file', 'adr', 'interface', 'external', 'dependency'] as const;

/** A type of references. */
export type ReferenceType = (typeof referenceTypes)[number];

/** The headings of each section; the first is how it is written. */
export const sectionTitles: Readonly<Record<ReferenceSection, readonly [string, ...string[]]>> = {
  issue: ['Issue'],
  file: ['Related Files'],
  adr: ['Architecture Decision Records (ADRs)', 'ADRs', 'Architecture Decision Records'],
  interface: ['Interface Specifications', 'Interfaces'],
  external: ['External Documentation'],
  dependency: ['Dependencies'],
};

interface GroupRule {
  type: ReferenceType;
  /** The label above its list; a group without one is its whole section. */
  title?: string;
  /** What requests call it. */
  words: readonly string[];
  /** What a change of it is called. */
  noun: string;
}

const rules = {
  implementation: {
    type: 'file',
    title: 'Implementation Files',
    words: ['implementation'],
    noun: 'implementation file',
  },
  configuration: {
    type: 'file',
    title: 'Configuration Files',
    words: ['configuration', 'config'],
    noun: 'configuration file',
  },
  test: { type: 'file', title: 'Test Files', words: ['test', 'tests'], noun: 'test file' },
  adr: { type: 'adr', words: [], noun: '' },
  interface: { type: 'interface', words: [], noun: '' },
  standard: {
    type: 'external',
    title: 'Standards and Specifications',
    words: ['standard', 'standards', 'specification', 'specifications'],
    noun: 'external documentation',
  },
  library: {
    type: 'external',
    title: 'Libraries and Tools',
    words: ['library', 'libraries', 'tool', 'tools'],
    noun: 'external documentation',
  },
  maven: { type: 'dependency', title: 'Maven Dependencies', words: ['maven'], noun: 'dependency' },
  npm: { type: 'dependency', title: 'NPM Dependencies', words: ['npm'], noun: 'dependency' },
  plan: {
    type: 'dependency',
    title: 'Related Plans',
    words: ['plan', 'prerequisite', 'related'],
    noun: 'related plan',
  },
} as const satisfies Record<string, GroupRule>;

/** A list of references within the document. */
export type ReferenceGroup = keyof typeof rules;

/** The rule of each group, in the order of the document. */
export const referenceGroups: Readonly<Record<ReferenceGroup, GroupRule>> = rules;

const groups = Object.keys(rules) as ReferenceGroup[];

/** The section of a heading, in any of its spellings; undefined for another. */
export function findSection(title: string): ReferenceSection | undefined {
  const wanted = title.toLowerCase();
  return referenceSections.find((section) => sectionTitles[section].some((each) => each.toLowerCase() === wanted));
}

/** The group of a label within a section; the first of the section where its list has no label; undefined for another. */
export function findGroup(section: ReferenceSection, title: string): ReferenceGroup | undefined {
  const inside = groups.filter((group) => referenceGroups[group].type === section);
  if (title === '') return inside[0];
  return inside.find((group) => referenceGroups[group].title?.toLowerCase() === title.toLowerCase());
}

/** The group of a new reference: by its kind, or else by its form. */
export function chooseGroup(type: ReferenceType, kind: string, identifier: string): ReferenceGroup {
  const word = kind.toLowerCase();
  const named = groups.find(
    (group) => referenceGroups[group].type === type && referenceGroups[group].words.includes(word),
  );
  if (named !== undefined) return named;
  if (type === 'file') return isTestPath(identifier) ? 'test' : 'implementation';
  if (type === 'external') return 'standard';
  if (type !== 'dependency') return type;
  if (identifier.endsWith('/') || identifier.endsWith('.md')) return 'plan';
  return identifier.includes(':') ? 'maven' : 'npm';
}

function isTestPath(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  return (
    segments.slice(0, -1).some((segment) => /^(?:tests?|__tests__|spec)$/i.test(segment)) ||
    /[._-](?:test|spec)\.[a-z]{1,5}$/i.test(name) ||
    /Test\.[a-z]{1,6}$/.test(name)
  );
}
