import ts from 'typescript';
import type { SourceTexts } from './source-files.ts';

/** The most lines that a file and a function may have. */
export interface SizeBounds {
  file_lines_max: number;
  function_lines_max: number;
  /** Tables of data, which may be longer, each with its reason. */
  exempt: Readonly<Record<string, string>>;
}

/** Files and functions that are too long, each with its place and length. */
export function findTooLong(texts: SourceTexts, { file_lines_max, function_lines_max, exempt }: SizeBounds): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const isLong = lines > file_lines_max && !(path in exempt);
    const long = listFunctions(path, text).filter((found) => found.lines > function_lines_max);
    return [
      ...(isLong ? [`${path}: ${lines} lines, more than ${file_lines_max}`] : []),
      ...long.map(
        (found) => `${path}:${found.line}: a function of ${found.lines} lines, more than ${function_lines_max}`,
      ),
    ];
  });
}

/** Exemptions of files that do not exist or are short enough without one. */
export function findIdleExemptions(texts: SourceTexts, { file_lines_max, exempt }: SizeBounds): string[] {
  return Object.keys(exempt).filter((path) => (texts[path]?.split('\n').length ?? 0) <= file_lines_max);
}

function listFunctions(path: string, text: string): { line: number; lines: number }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const functions: { line: number; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && !isGroupOfTests(node)) {
      const line = lineAt(node.getStart());
      functions.push({ line, lines: lineAt(node.getEnd()) - line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return functions;
}

/** The body of `describe` holds tests, each measured on its own. */
function isGroupOfTests(node: ts.Node): boolean {
  const call = node.parent;
  return ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === 'describe';
}

/** Each use of the type `any`. */
export function findAny(texts: SourceTexts): string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) {
        found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: any`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

const bucket = /^(?:utils?|helpers?|commons?|types?|interfaces?|misc|shared|stuff)$/;

/** Files and folders named after nothing that is in them. */
export function findBuckets(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((part) => bucket.test(part.replace(/\..*$/, ''))));
}
