import { Lexer, Source, TokenKind, parse, print } from 'graphql';
import type { Token } from 'graphql';

interface Tokens {
  readonly all: readonly Token[];
  /** By the index of the token that follows them. */
  readonly comments: ReadonlyMap<number, readonly { readonly text: string; readonly isTrailing: boolean }[]>;
}

/**
 * Formats a document; comments keep their place before or after a token. Undefined for a document that does not parse.
 */
export function format(query: string): string | undefined {
  try {
    const text = print(parse(query));
    const given = tokensOf(query);
    if (given.comments.size === 0) return text;
    return withComments(text, given.comments, given.all.length);
  } catch {
    return undefined;
  }
}

function tokensOf(text: string): Tokens {
  const lexer = new Lexer(new Source(text));
  const all: Token[] = [];
  const comments = new Map<number, { text: string; isTrailing: boolean }[]>();
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF;) token = lexer.advance();
  let depth = 0;
  for (let token: Token | null = firstOf(lexer.token); token; token = token.next) {
    if (token.kind === TokenKind.COMMENT) {
      const list = comments.get(all.length) ?? [];
      const isTrailing = token.prev?.line === token.line && token.prev.kind !== TokenKind.SOF;
      list.push({ text: `#${token.value}`, isTrailing });
      comments.set(all.length, list);
    } else if (token.kind !== TokenKind.SOF && !isShorthand(token, depth)) all.push(token);
    if (token.kind === TokenKind.BRACE_L) depth += 1;
    if (token.kind === TokenKind.BRACE_R) depth -= 1;
  }
  return { all, comments };
}

/** The printer omits the word `query` for an anonymous query (shorthand), so the tokens differ. */
const isShorthand = (token: Token, depth: number): boolean =>
  depth === 0 && token.value === 'query' && token.next?.kind === TokenKind.BRACE_L;

function firstOf(token: Token): Token {
  let first = token;
  while (first.prev) first = first.prev;
  return first;
}

function withComments(text: string, comments: Tokens['comments'], count: number): string | undefined {
  const printed = tokensOf(text).all;
  if (printed.length !== count) return undefined;
  const lines = text.split('\n');
  const before = new Map<number, string[]>();
  const behind = new Map<number, string>();
  for (const [index, list] of comments)
    for (const { text: comment, isTrailing } of list) {
      const token = isTrailing ? printed[index - 1] : printed[index];
      const line = token && token.kind !== TokenKind.EOF ? token.line : lines.length + 1;
      if (isTrailing) behind.set(line, `${behind.get(line) ?? ''} ${comment}`);
      else before.set(line, [...(before.get(line) ?? []), comment]);
    }
  return [...lines, '']
    .flatMap((line, index) => {
      const own = before.get(index + 1) ?? [];
      const indent = /^ */.exec(line)?.[0] ?? '';
      const deeper = line.trimStart().startsWith('}') ? `${indent}  ` : indent;
      return [...own.map((comment) => deeper + comment), line + (behind.get(index + 1) ?? '')];
    })
    .join('\n')
    .trimEnd();
}
