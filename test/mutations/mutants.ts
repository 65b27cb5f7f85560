import ts from 'typescript';

/** One deliberate break of a source text. */
export interface Mutant {
  path: string;
  /** Where it begins in the text. */
  start: number;
  /** 1 is the first line. */
  line: number;
  /** What was there, and what is there instead. */
  from: string;
  to: string;
  /** The whole text with the break. */
  text: string;
}

const { SyntaxKind } = ts;

/** What an operator becomes: the neighbour that a slip of the hand would write. */
const operators = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
]);

/**
 * Every break of a text that one operator, condition, constant or dropped call makes. Types and imports stay, and so do
 * two forms whose break changes nothing here: what only Windows runs, and the `<` of a comparison of two that are never
 * equal, as `one < other ? -1 : 1`, or of which either is as good where they are equal, as `one < other ? one : other`.
 */
export function listMutants(path: string, text: string): Mutant[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, to: string) => {
    const [start, end] = [node.getStart(), node.getEnd()];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({
      path,
      start,
      line,
      from: text.slice(start, end),
      to,
      text: text.slice(0, start) + to + text.slice(end),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node)) return;
    breakNode(node, add);
    if (ts.isIfStatement(node) && isForWindows(node)) ts.forEachChild(node.expression, visit);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

function breakNode(node: ts.Node, add: (node: ts.Node, to: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const other = operators.get(node.operatorToken.kind);
    if (other !== undefined && !isText(node) && !isOrder(node)) add(node.operatorToken, other);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    add(node, node.operand.getText());
  } else if (ts.isIfStatement(node)) {
    if (!isForWindows(node)) add(node.expression, 'false');
  } else if (ts.isConditionalExpression(node)) {
    add(node.condition, `!(${node.condition.getText()})`);
  } else if (node.kind === SyntaxKind.TrueKeyword || node.kind === SyntaxKind.FalseKeyword) {
    add(node, node.kind === SyntaxKind.TrueKeyword ? 'false' : 'true');
  } else if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    add(node, ';');
  }
}

function isCall(node: ts.Expression): boolean {
  return ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression));
}

/** Words that are joined: to subtract them is nothing that a slip would write. */
function isText({ operatorToken, left, right }: ts.BinaryExpression): boolean {
  const isPart = (node: ts.Expression) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return operatorToken.kind === SyntaxKind.PlusToken && (isPart(left) || isPart(right));
}

function isOrder({ operatorToken, left, right, parent }: ts.BinaryExpression): boolean {
  if (!/^[<>]=?$/.test(operatorToken.getText()) || !ts.isConditionalExpression(parent)) return false;
  const [one, other] = [parent.whenTrue.getText(), parent.whenFalse.getText()];
  const ordered = [left.getText(), right.getText()];
  return /^(?:-1 1|1 -1)$/.test(`${one} ${other}`) || (ordered.includes(one) && ordered.includes(other));
}

function isForWindows({ expression }: ts.IfStatement): boolean {
  return expression.getText().startsWith("process.platform === 'win32'");
}
