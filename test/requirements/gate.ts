import ts from 'typescript';
import type { Milestone, Requirement } from './requirement.ts';

/** What the gate compares: the declared requirements and those that tests cite. */
export interface GateInput {
  requirements: Readonly<Record<string, Requirement>>;
  /** Source texts of tests and of contract suites, by path. */
  sources: Readonly<Record<string, string>>;
  /** The milestones whose requirements must all be cited. */
  done: readonly Milestone[];
}

/** The errors, each with its position; all lists are empty where the gate passes. */
export interface GateAnswer {
  /** Ids that a test cites and nobody declared, as `path: id`. */
  unknown: string[];
  /** Ids of a finished milestone that no test cites. */
  uncited: string[];
}

/** Compares cited and declared requirement ids: pure, so that the gate itself can be tested. */
export function judgeCitations({ requirements, sources, done }: GateInput): GateAnswer {
  const cited = Object.entries(sources).flatMap(([path, text]) => listCitedIds(path, text).map((id) => ({ path, id })));
  const known = new Set(Object.keys(requirements));
  const named = new Set(cited.map(({ id }) => id));
  return {
    unknown: cited.filter(({ id }) => !known.has(id)).map(({ path, id }) => `${path}: ${id}`),
    uncited: Object.entries(requirements)
      .filter(([id, { milestone }]) => done.includes(milestone) && !named.has(id))
      .map(([id]) => id),
  };
}

/** The ids in `verifies([…], …)` calls and in the tables of contract cases (`ids: […]`). Comments do not count. */
export function listCitedIds(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ids: string[] = [];
  const visit = (node: ts.Node): void => {
    const list = citationOf(node);
    if (list !== undefined) ids.push(...list.elements.filter(ts.isStringLiteralLike).map((element) => element.text));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return ids;
}

function citationOf(node: ts.Node): ts.ArrayLiteralExpression | undefined {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'verifies') {
    const [first] = node.arguments;
    return first !== undefined && ts.isArrayLiteralExpression(first) ? first : undefined;
  }
  const isTable = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'ids';
  return isTable && ts.isArrayLiteralExpression(node.initializer) ? node.initializer : undefined;
}
