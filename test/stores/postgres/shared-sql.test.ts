import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { root } from '../../tidy/source-files.ts';
import { verifies } from '../../verifies.ts';

/** The store's own folder, and that of what it says as SQLite does. */
const folders = ['postgres', 'sql'].map((name) => join(root, 'packages/batonpass/src/stores', name));

/** What every engine has that speaks Postgres's language. */
const plain =
  `ADD ALL ALWAYS ALTER AND ANY AS ASC BEGIN BY CASE CAST COLUMN COMMIT CREATE DEFAULT DELETE DESC DISTINCT DROP ELSE END EXISTS
  FALSE FROM IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER PRIMARY ROLLBACK SCHEMA
  SELECT SET TABLE THEN TRUE UNION UNIQUE UPDATE USING VALUES WHEN WHERE`.split(/\s+/);
const plainFunctions =
  'coalesce count current_setting extract floor greatest least left length lower max min replace right substr sum'.split(
    ' ',
  );

/** What is more than that, by the words of docs/scale.md, which says of each engine what it lacks. */
const special: Readonly<Record<string, readonly string[]>> = {
  'FOR UPDATE SKIP LOCKED': ['FOR', 'SKIP', 'LOCKED'],
  LATERAL: ['LATERAL', 'CROSS'],
  'ON CONFLICT': ['CONFLICT', 'DO', 'NOTHING'],
  RETURNING: ['RETURNING'],
  'READ COMMITTED': ['READ', 'COMMITTED', 'ISOLATION', 'LEVEL'],
  'REPEATABLE READ READ ONLY': ['REPEATABLE', 'ONLY'],
  'GENERATED ALWAYS AS IDENTITY': ['GENERATED', 'IDENTITY'],
  'row_number() OVER': ['OVER', 'row_number'],
  LISTEN: ['LISTEN', 'UNLISTEN'],
  pg_notify: ['pg_notify'],
  pg_advisory_xact_lock: ['pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared'],
  hashtextextended: ['hashtextextended', 'current_schema'],
  pg_xact_status: ['pg_xact_status', 'pg_current_xact_id', 'pg_snapshot_xmax', 'pg_current_snapshot'],
  unnest: ['unnest', 'cardinality'],
  clock_timestamp: ['clock_timestamp', 'statement_timestamp'],
  set_config: ['set_config', 'LOCAL'],
  'COLLATE "C"': ['COLLATE'],
  json_array_elements: ['json_array_elements'],
  strpos: ['strpos', 'starts_with'],
  'WITH … AS MATERIALIZED': ['MATERIALIZED', 'WITH'],
  fillfactor: ['fillfactor'],
  pg_is_in_recovery: ['pg_is_in_recovery'],
};

const textKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
]);

/** The texts between quotes of a file of the store. */
function textsOf(file: string): string[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    true,
    ts.LanguageVariant.Standard,
    readFileSync(file, 'utf8'),
  );
  const texts: string[] = [];
  // Braces of templates are distinguished from others by their depth.
  const depths: number[] = [];
  let depth = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.OpenBraceToken) depth += 1;
    if (token === ts.SyntaxKind.CloseBraceToken && depths.at(-1) === depth) token = scanner.reScanTemplateToken(false);
    else if (token === ts.SyntaxKind.CloseBraceToken) depth -= 1;
    if (token === ts.SyntaxKind.TemplateHead) depths.push(depth);
    if (token === ts.SyntaxKind.TemplateTail) depths.pop();
    if (textKinds.has(token)) texts.push(scanner.getTokenValue());
  }
  return texts;
}

const isSql = (text: string) =>
  /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|FROM|WHERE|AND|OR|BEGIN|COMMIT|SET|LISTEN|ORDER|EXISTS|NULL|UNION|WITH)\b/.test(
    text,
  );

/** Keywords, which the store writes large, and functions, whose bracket follows at once. */
function wordsOf(text: string): string[] {
  const sql = text.replace(/--.*$/gm, '').replace(/'[^']*'/g, '');
  const functions = [...sql.matchAll(/\b([a-z_][a-z0-9_]*)\(/g)].map(([, name = '']) => name);
  if (/\bfillfactor\b/.test(sql)) functions.push('fillfactor');
  const keywords = isSql(sql) ? [...sql.matchAll(/(?<![\w$])([A-Z]{2,})\b/g)].map(([, word = '']) => word) : [];
  return [...functions, ...keywords];
}

/** Not what the store runs, but a script that somebody runs on Postgres itself. */
const scripts = ['roles.ts'];

const files = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => !scripts.some((name) => file.endsWith(name)));
const used = new Map(
  files.flatMap((name) =>
    textsOf(name)
      .flatMap(wordsOf)
      .map((word) => [word, name]),
  ),
);

verifies(
  ['POSTGRES.shared-sql'],
  'the store uses no more of SQL than is allowed, and all the more is named in the document',
  () => {
    const allowed = new Set([...plain, ...plainFunctions, ...Object.values(special).flat()]);
    expect([...used].filter(([word]) => !allowed.has(word))).toEqual([]);
    const document = readFileSync(join(root, 'docs/scale.md'), 'utf8');
    for (const [feature, words] of Object.entries(special)) {
      expect(
        words.some((word) => used.has(word)),
        feature,
      ).toBe(true);
      expect(document, feature).toContain(`\`${feature}\``);
    }
  },
);
