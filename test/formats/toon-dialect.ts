/** One text of the dialect: what it means and which repairs are reported, or where it is refused. */
export interface DialectCase {
  name: string;
  text: string;
  value?: unknown;
  repairs?: string[];
  /** Where the error is, and what its message and its advice say. */
  refused?: { line: number; column: number; says: RegExp; advises?: RegExp };
}

const lines = (...each: string[]) => each.join('\n');

/** Texts that the official decoder refuses, or reads with a meaning that no writer intends. */
export const readable: readonly DialectCase[] = [
  {
    name: 'entries at the indent of their header',
    text: lines('alternatives[2]:', '- Retry', '- Give up', 'next: x'),
    value: { alternatives: ['Retry', 'Give up'], next: 'x' },
    repairs: ['line 1: the entries are at the indent of their header'],
  },
  {
    name: 'entries at the indent of their header, within an object',
    text: lines('error:', '  failures[2]:', '  - A::b - gone', '  - 3', 'next: x'),
    value: { error: { failures: ['A::b - gone', 3] }, next: 'x' },
    repairs: ['line 2: the entries are at the indent of their header', 'line 3: read as a text, not as a member'],
  },
  {
    name: 'rows at the indent of their header, and another table right after them',
    text: lines('one[1]{id,name}:', 'task-1,First', 'two[1]{id,name}:', 'task-2,Second'),
    value: { one: [{ id: 'task-1', name: 'First' }], two: [{ id: 'task-2', name: 'Second' }] },
    repairs: [
      'line 1: the rows are at the indent of their header',
      'line 3: the rows are at the indent of their header',
    ],
  },
  {
    name: 'rows with addresses, which the strict form would take for members',
    text: lines('links[2]{url,title}:', '  https://a.example/x,One', '  https://b.example/y,Two'),
    value: {
      links: [
        { url: 'https://a.example/x', title: 'One' },
        { url: 'https://b.example/y', title: 'Two' },
      ],
    },
    repairs: ['line 2: values with a colon are not quoted', 'line 3: values with a colon are not quoted'],
  },
  {
    name: 'rows with hyphens',
    text: lines('tasks[1]{id,name}:', '- task-1,First'),
    value: { tasks: [{ id: 'task-1', name: 'First' }] },
    repairs: ['line 1: the rows are at the indent of their header', 'line 1: left out the hyphens before the rows'],
  },
  {
    name: 'wrong counts of entries, rows and values',
    text: lines('a[3]: x, y', 'b[1]:', '  - p', '  - q', 'c[5]{k,v}:', '  1,2'),
    value: { a: ['x', 'y'], b: ['p', 'q'], c: [{ k: 1, v: 2 }] },
    repairs: [
      'line 1: 2 found where the header says [3]',
      'line 2: 2 found where the header says [1]',
      'line 5: 1 found where the header says [5]',
    ],
  },
  {
    name: 'counts of templates, of older versions, and none',
    text: lines('a[N]:', '- x', 'b[{count}]: y', 'c[#2]: 1,2', 'd[]:', '  - z'),
    value: { a: ['x'], b: ['y'], c: [1, 2], d: ['z'] },
  },
  {
    name: 'lists and an object without content, and members right after them',
    text: lines('a[0]:', 'b[]:', 'c:', 'd:', '- x'),
    value: { a: [], b: [], c: {}, d: ['x'] },
  },
  {
    name: 'a list whose header has no count',
    text: lines('alternatives:', '- Fix: now', '- Wait for it'),
    value: { alternatives: ['Fix: now', 'Wait for it'] },
  },
  {
    name: 'what the official decoder takes for a member named "- Fix"',
    text: lines('alternatives:', '- Fix: now', '- Wait: later'),
    value: { alternatives: [{ Fix: 'now' }, { Wait: 'later' }] },
  },
  {
    name: 'block text, with blank lines, comments and indentation in it',
    text: lines(
      'commit:',
      '  message: |',
      '    feat: add',
      '',
      '    # no comment',
      '      deeper "quoted"',
      '  files[1]: a',
    ),
    value: { commit: { message: 'feat: add\n\n# no comment\n  deeper "quoted"', files: ['a'] } },
    repairs: ['line 2: read the 4 lines below "|" as one text'],
  },
  {
    name: 'tabs, line ends of Windows, a mark at the beginning, and indentation by four',
    text: '\uFEFFa:\r\n    b:\r\n        c: 1\r\n\td: 2\r\n',
    refused: { line: 4, column: 2, says: /indented further/ },
  },
  {
    name: 'tabs for indentation',
    text: lines('a:', '\tb:', '\t\tc: 1', '\td: 2'),
    value: { a: { b: { c: 1 }, d: 2 } },
    repairs: ['line 2: indented by tabs'],
  },
  {
    name: 'line ends of Windows and indentation by four',
    text: 'a:\r\n    b[1]:\r\n        - x\r\n    c: 2\r\n',
    value: { a: { b: ['x'], c: 2 } },
    repairs: ['line 2: indented by 4 columns instead of 2'],
  },
  {
    name: 'a code fence with a word before it',
    text: lines('Here it is', '```toon', 'a: 1', 'b[1]:', '- x', '```', ''),
    value: { a: 1, b: ['x'] },
    repairs: [
      'line 1: left out text outside of the code fence',
      'line 2: left out the code fence around the message',
      'line 4: the entries are at the indent of their header',
    ],
  },
  { name: 'a message in rules, indented', text: lines('---', '  a: 1', '  b: 2', '---'), value: { a: 1, b: 2 } },
  {
    name: 'comments and blank lines between entries',
    text: lines('# head', 'a[2]:', '- x', '', '# between', '- y'),
    value: { a: ['x', 'y'] },
    repairs: [
      'line 2: the entries are at the indent of their header',
      'line 2: blank lines are between the lines of the list',
    ],
  },
  {
    name: 'entries that are objects',
    text: lines(
      'tasks[2]:',
      '- id: 1',
      '  name: One',
      '  tags[2]:',
      '  - a',
      '  - b',
      '- id: 2',
      '  name: Two',
      '  at:',
      '    line: 3',
    ),
    value: {
      tasks: [
        { id: 1, name: 'One', tags: ['a', 'b'] },
        { id: 2, name: 'Two', at: { line: 3 } },
      ],
    },
  },
  {
    name: 'an empty list that ends an entry, and text that ends one',
    text: lines('tasks[3]:', '- id: 1', '  tags[0]:', '- id: 2', '  steps:', '- id: 3', '  note: |', '', 'next: x'),
    value: {
      tasks: [
        { id: 1, tags: [] },
        { id: 2, steps: {} },
        { id: 3, note: '|' },
      ],
      next: 'x',
    },
  },
  {
    name: 'entries with all members on one line',
    text: lines(
      'issues[2]:',
      '- rule: S1, at: A.java:4, text: "Do, this"',
      '- rule: S2, at: B.java:5, text: "Or that"',
    ),
    value: {
      issues: [
        { rule: 'S1', at: 'A.java:4', text: 'Do, this' },
        { rule: 'S2', at: 'B.java:5', text: 'Or that' },
      ],
    },
  },
  {
    name: 'entries with one member each',
    text: lines('rules[2]:', '- rule: S1', '- rule: S2'),
    value: { rules: [{ rule: 'S1' }, { rule: 'S2' }] },
    repairs: ['line 1: the entries are at the indent of their header'],
  },
  {
    name: 'a comma in a value, where the names are not the same in every entry',
    text: lines('rules[3]:', '- a: 1, b: 2', '- a: 3, b: 4', '- a: 5, c: 6'),
    value: { rules: [{ a: '1, b: 2' }, { a: '3, b: 4' }, { a: '5, c: 6' }] },
    repairs: ['line 1: the entries are at the indent of their header'],
  },
  {
    name: 'a comma in a value, where what follows has no name',
    text: lines('rules[2]:', '- a: 1, word', '- a: 3, word'),
    value: { rules: [{ a: '1, word' }, { a: '3, word' }] },
    repairs: ['line 1: the entries are at the indent of their header'],
  },
  {
    name: 'a comma in a value, where one entry goes on below',
    text: lines('rules[2]:', '- a: 1, b: 2', '  c: 9', '- a: 3, b: 4'),
    value: { rules: [{ a: '1, b: 2', c: 9 }, { a: '3, b: 4' }] },
    repairs: ['line 1: the entries are at the indent of their header'],
  },
  {
    name: 'texts that look like members, beside one that cannot be one',
    text: lines('conditions[2]:', '- Coverage: 72%', '- Critical Issues: 2'),
    value: { conditions: ['Coverage: 72%', 'Critical Issues: 2'] },
  },
  {
    name: 'the same texts, indented as they should be, but counted wrongly',
    text: lines('items[9]:', '  - Add: tests', '  - Write the docs'),
    value: { items: ['Add: tests', 'Write the docs'] },
  },
];

/** Texts that mean nothing, or two things. */
export const refusedTexts: readonly DialectCase[] = [
  {
    name: 'two messages',
    text: lines('from: a', 'x[1]:', '- y', 'from: b'),
    refused: { line: 4, column: 1, says: /"from"/ },
  },
  {
    name: 'two messages in rules',
    text: lines('a: 1', '---', 'b: 2'),
    refused: { line: 2, column: 1, says: /two messages/ },
  },
  {
    name: 'two fenced blocks',
    text: lines('```', 'a: 1', '```', '```', 'b: 1', '```'),
    refused: { line: 4, column: 1, says: /more than one/ },
  },
  {
    name: 'members outside of the fence',
    text: lines('from: a', '```', 'b: 1', '```'),
    refused: { line: 1, column: 1, says: /outside/ },
  },
  { name: 'an open fence', text: lines('```', 'a: 1', 'b'), refused: { line: 1, column: 1, says: /not closed/ } },
  {
    name: 'a place in a template',
    text: lines('a: 1', '  ', '{result}'),
    refused: { line: 3, column: 1, says: /template/ },
  },
  {
    name: 'a list of a template',
    text: lines('a:', '  create[N]: {paths}'),
    refused: { line: 2, column: 3, says: /template/ },
  },
  {
    name: 'entries that are announced and missing',
    text: lines('a[2]:', 'b: 1'),
    refused: { line: 1, column: 1, says: /no entry/ },
  },
  {
    name: 'lines below the header of a list that are no entries',
    text: lines('a[]:', '  x', '  y'),
    refused: { line: 1, column: 1, says: /no entry/ },
  },
  {
    name: 'rows that are announced and missing',
    text: lines('a[2]{b}:', 'c: 1'),
    refused: { line: 1, column: 1, says: /no row/ },
  },
  {
    name: 'a row with a value too many',
    text: lines('a[1]{b,c}:', '  1,2,3'),
    refused: { line: 2, column: 3, says: /3 values/ },
  },
  {
    name: 'a line that is a row or a member',
    text: lines('a[2]{b,c}:', '1,2', 'Note: this,that'),
    refused: { line: 3, column: 1, says: /row.*or a member/ },
  },
  {
    name: 'an entry without a header',
    text: lines('a: 1', '- x'),
    refused: { line: 2, column: 1, says: /without the header/ },
  },
  {
    name: 'a line below a value',
    text: lines('a: 1', '  b: 2'),
    refused: { line: 2, column: 3, says: /indented further/ },
  },
  { name: 'prose', text: lines('Please do this', 'and that'), refused: { line: 1, column: 1, says: /not a member/ } },
  {
    name: 'an open quote',
    text: 'a: "x',
    refused: { line: 1, column: 1, says: /^Line 1: Unterminated/, advises: /in double quotes/ },
  },
  {
    name: 'a second member of the same name, below',
    text: lines('a:', '  b: 1', '  c: 2', '  b: 3'),
    refused: { line: 4, column: 3, says: /^Line 4: a second "b"\.$/, advises: /name each member of an object once/ },
  },
];
