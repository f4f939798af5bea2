import ts from 'typescript';

const { SyntaxKind: Kind } = ts;
const swapped = new Map([
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
]);

/**
 * Small mistakes in a source: another comparison or boundary, another logical operator, a negation lost, a guard that
 * never holds, a call left out, a filter without its account, a number one higher. Each as whole lines that occur once.
 */
export function candidatesIn(text) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (kind, start, end, replacement) => {
    const from = text.lastIndexOf('\n', start) + 1;
    const to = text.indexOf('\n', end);
    const find = text.slice(from, to);
    if (text.split(find).length === 2)
      found.push({ kind, find, replacement: text.slice(from, start) + replacement + text.slice(end, to) });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken: operator } = node;
      const other = swapped.get(operator.kind);
      if (other) add('operator', operator.getStart(), operator.end, other);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
      add('negation', node.getStart(), node.operand.getStart(), '');
    else if (ts.isIfStatement(node)) add('guard', node.expression.getStart(), node.expression.end, 'false');
    else if (ts.isExpressionStatement(node) && /^(await )?[\w.]+\(/.test(node.getText()))
      add('call', node.getStart(), node.end, ';');
    else if (isAccount(node)) add('account', node.getStart(), node.end + (text[node.end] === ',' ? 1 : 0), '');
    else if (ts.isNumericLiteral(node) && ts.isVariableDeclaration(node.parent))
      add('number', node.getStart(), node.end, `(${node.text} + 1)`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter(({ find, replacement }) => find.length < 400 && find !== replacement);
}

const isAccount = (node) =>
  (ts.isShorthandPropertyAssignment(node) || ts.isPropertyAssignment(node)) &&
  ts.isObjectLiteralExpression(node.parent) &&
  /^(accountId|account)$/.test(node.name.getText());
