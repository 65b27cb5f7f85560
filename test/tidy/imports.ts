import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceTexts } from './source-files.ts';

/** One import, re-export or dynamic import of a file, by a relative path or a package's name. */
export interface FileImport {
  /** The file as a path from the root, or a package's name. */
  target: string;
  /** The names taken; `*` for all of them. */
  names: readonly string[];
  /** 1 is the first line. */
  line: number;
}

/** Every import of a source text; relative ones resolved against its path. */
export function listImports(path: string, text: string): FileImport[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: FileImport[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      imports.push({ target: resolveTarget(path, found.specifier), names: found.names, line });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return imports;
}

function resolveTarget(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function importOf(node: ts.Node): { specifier: string; names: string[] } | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, names: namesOfImport(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
    const { exportClause } = node;
    const isNamed = exportClause !== undefined && ts.isNamedExports(exportClause);
    const names = isNamed ? exportClause.elements.map((element) => (element.propertyName ?? element.name).text) : ['*'];
    return { specifier: node.moduleSpecifier.text, names };
  }
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const argument = isCall ? node.arguments[0] : undefined;
  if (argument !== undefined && ts.isStringLiteralLike(argument)) return { specifier: argument.text, names: ['*'] };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, names: ['*'] };
  }
  return undefined;
}

function namesOfImport(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return [];
  const bindings = clause.namedBindings;
  const named =
    bindings === undefined
      ? []
      : ts.isNamedImports(bindings)
        ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
        : ['*'];
  return clause.name === undefined ? named : ['default', ...named];
}

const above = ['core', 'formats', 'disk', 'workspace', 'stores', 'handoff-files', 'handoff-store', 'transcripts'];

/** What each room may import besides itself: the arrows of the design. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  formats: ['core'],
  disk: ['core'],
  workspace: ['core', 'disk'],
  stores: ['core', 'disk'],
  'handoff-files': ['core', 'formats', 'disk'],
  'handoff-store': ['core', 'formats', 'disk'],
  'handoff-queue': ['core', 'stores'],
  transcripts: ['core', 'formats'],
  extraction: ['core', 'formats'],
  draft: ['core', 'formats', 'extraction'],
  planning: ['core', 'formats', 'draft'],
  written: ['core', 'disk', 'extraction', 'workspace'],
  'host-trial': ['core'],
  react: ['core', 'formats', 'extraction', 'draft'],
  'plan-files': ['core', 'formats', 'disk'],
  documents: ['core', 'formats', 'disk', 'workspace'],
  operations: [...above, 'extraction', 'draft', 'planning', 'written', 'host-trial', 'plan-files', 'documents'],
  // The command is also what starts the other doors; over HTTP the protocol's door is one route.
  'doors/cli': ['core', 'operations', 'stores/open.ts', 'doors/mcp', 'doors/http', 'doors/hooks'],
  'doors/mcp': ['core', 'operations', 'stores/open.ts'],
  'doors/http': ['core', 'operations', 'stores/open.ts', 'doors/mcp'],
  'doors/hooks': ['core', 'operations', 'stores/open.ts'],
};

/** Rooms that a browser loads too: nothing of Node in them. */
const browserRooms: readonly string[] = ['core', 'formats', 'react'];

const source = 'packages/batonpass/src/';

/** Imports that run against the rooms' arrows; files outside every known room; Node in a browser's room. */
export function findWrongImports(texts: SourceTexts): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const inside = path.slice(source.length);
    // The package's entry files are above all rooms; single constants next to them are below.
    if (!inside.includes('/')) return [];
    const room = roomOf(inside);
    const allowed = room === undefined ? undefined : rooms[room];
    if (room === undefined || allowed === undefined) return [`${path}: stands in no room of the design`];
    return listImports(path, text)
      .filter(({ target }) => isWrong(target, room, allowed))
      .map(({ target, line }) => `${path}:${line}: ${room} must not import ${target}`);
  });
}

function roomOf(inside: string): string | undefined {
  return Object.keys(rooms).find((room) => inside.startsWith(`${room}/`));
}

function isWrong(target: string, room: string, allowed: readonly string[]): boolean {
  if (target.startsWith('node:')) return browserRooms.includes(room);
  if (!target.startsWith('packages/')) return false;
  if (!target.startsWith(source)) return true;
  const inside = target.slice(source.length);
  if (inside === 'version.ts') return false;
  return ![room, ...allowed].some((other) => inside === other || inside.startsWith(`${other}/`));
}

/** Circles of imports, each as a path from a file back to itself; one for each file that closes a circle. */
export function findCircles(texts: SourceTexts): string[] {
  const edges = new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      [...new Set(listImports(path, text).map(({ target }) => target))].filter((target) => target in texts),
    ]),
  );
  const circles: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) circles.push([...trail.slice(start), path].join(' → '));
    if (start !== -1 || finished.has(path)) return;
    for (const target of edges.get(path) ?? []) walk(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return circles;
}
