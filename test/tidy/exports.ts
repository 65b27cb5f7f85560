import ts from 'typescript';
import { listImports } from './imports.ts';
import type { SourceTexts } from './source-files.ts';

/** What exports are checked against. */
export interface ExportInput {
  /** The package's own sources: their exports are checked. */
  sources: SourceTexts;
  /** Further code whose imports count as uses: scripts, benchmarks, the studio. Tests do not. */
  users: SourceTexts;
  /** Entry files: what they export is for others, and so used. */
  entries: readonly string[];
}

/**
 * Exports that nothing but tests uses, as `path: name`. A re-export is a use, and an export of its own. A type in the
 * declaration of another export of its file is used with it: the caller of a function may name what it returns.
 */
export function findUnusedExports({ sources, users, entries }: ExportInput): string[] {
  const used = new Map<string, Set<string>>();
  for (const [path, text] of [...Object.entries(sources), ...Object.entries(users)]) {
    for (const { target, names } of listImports(path, text)) {
      const set = used.get(target) ?? new Set();
      for (const name of names) set.add(name);
      used.set(target, set);
    }
  }
  const isUsed = (path: string, name: string) =>
    used.get(path)?.has(name) === true || used.get(path)?.has('*') === true;
  return Object.entries(sources)
    .filter(([path]) => !entries.includes(path))
    .flatMap(([path, text]) => {
      const exports = listExports(path, text);
      return exports
        .filter(
          ({ name, type }) => !isUsed(path, name) && !(type && exports.some(({ mentions }) => mentions.has(name))),
        )
        .map(({ name }) => `${path}: ${name}`);
    });
}

/** Exports without a doc comment, as `path: name`. Re-exports have theirs at the declaration. */
export function findUndocumentedExports(sources: SourceTexts): string[] {
  return Object.entries(sources).flatMap(([path, text]) =>
    listExports(path, text)
      .filter(({ documented }) => !documented)
      .map(({ name }) => `${path}: ${name}`),
  );
}

interface Export {
  name: string;
  documented: boolean;
  /** Whether it is a type alone. */
  type: boolean;
  /** The types that its declaration names, its own apart. */
  mentions: ReadonlySet<string>;
}

/** The names that a text exports. */
export function listExports(path: string, text: string): Export[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement): Export[] => {
    const described = { documented: true, type: false, mentions: new Set<string>() };
    if (ts.isExportDeclaration(statement)) return namesOfList(statement).map((name) => ({ name, ...described }));
    const documented = isDocumented(statement) || isDerived(statement) || isDeclaration(statement);
    if (ts.isExportAssignment(statement)) return [{ name: 'default', ...described, documented }];
    if (!isExported(statement)) return [];
    const type = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return namesOfStatement(statement).map((name) => ({
      name,
      documented,
      type,
      mentions: mentionsOf(statement, name),
    }));
  });
}

/** Names of types in a declaration: those of a function's body are its own business. */
function mentionsOf(statement: ts.Statement, own: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) names.add(node.typeName.text);
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) names.add(node.expression.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  names.delete(own);
  return names;
}

function namesOfList({ exportClause }: ts.ExportDeclaration): string[] {
  return exportClause !== undefined && ts.isNamedExports(exportClause)
    ? exportClause.elements.map((element) => element.name.text)
    : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesOfStatement(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function isDocumented(statement: ts.Statement): boolean {
  return ts.getJSDocCommentsAndTags(statement).length > 0;
}

/**
 * A type that only names what a value in the same file describes (`z.infer<typeof handoffSchema>`,
 * `(typeof states)[number]`): the value carries the words.
 */
function isDerived(statement: ts.Statement): boolean {
  return ts.isTypeAliasDeclaration(statement) && /\btypeof\b/.test(statement.type.getText());
}

/** An operation or a command is declared by an object with a `summary`: the help pages and this file read it there. */
function isDeclaration(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.some(({ initializer }) => {
    const value =
      initializer !== undefined && ts.isCallExpression(initializer) ? initializer.arguments[0] : initializer;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return false;
    return value.properties.some(({ name }) => name?.getText() === 'summary');
  });
}
