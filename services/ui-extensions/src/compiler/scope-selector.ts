import { list } from 'postcss';

/** A compound selector with the combinator before it; empty before the first, unless the selector begins with one. */
interface Part {
  readonly combinator: string;
  readonly compound: string;
}

/**
 * The selectors of a list, for use inside of a rule of the scope, where `&` is the scope. They match nothing outside of
 * it: the page's root elements (`:root`, `html`, `body`, a top-level `&`) are the scope itself, and everything else is
 * below it.
 */
export const scopeSelectors = (selectors: string): string =>
  special.test(selectors) ? list.comma(selectors).map(scopeSelector).join(',') : selectors;

/** Only a list that has one of these may change. Most have none, and a long one takes much time to read. */
const special = /&|:root|:scope|html|body|(?:^|,)\s*[>+~]/i;

/** The same where `&` has no meaning, such as in the prelude of `@scope`. */
export const scopeSelectorsBy = (scope: string, selectors: string): string =>
  list
    .comma(selectors)
    .map((selector) => {
      const scoped = scopeSelector(selector);
      const anchored = hasNesting(scoped) ? scoped : `& ${scoped.startsWith('>') ? scoped.slice(1) : scoped}`;
      return outsideOfTexts(anchored, /&/g, scope);
    })
    .join(',');

function scopeSelector(selector: string): string {
  const parts = withoutRoots(partsOf(selector));
  const written = parts.map(({ combinator, compound }, index) => {
    const before = parts[index - 1];
    // The siblings of the scope are outside of it, so those of its elements are meant.
    const isOutside = isSibling(combinator) && (before === undefined || topLevel(before.compound).includes('&'));
    return `${isOutside ? `${before ? ' ' : ''}*` : ''}${combinator}${compound}`;
  });
  const text = written.join('');
  const isAnchored = parts.some(({ compound }) => topLevel(compound).includes('&'));
  // A browser puts `& ` before a selector only if it has no `&` at all, such as within `:not()`.
  return !isAnchored && hasNesting(text) ? `& ${text}` : text;
}

const isSibling = (combinator: string): boolean => combinator === '+' || combinator === '~';

/** Turns the first compounds into `&` if they are root elements: `html body.dark .a` becomes `&.dark .a`. */
function withoutRoots(parts: readonly Part[]): Part[] {
  const rests: string[] = [];
  let count = 0;
  for (const { combinator, compound } of parts) {
    const rest = restOfRoot(compound);
    if (rest === undefined || isSibling(combinator) || (count === 0 && combinator !== '')) break;
    rests.push(rest);
    count += 1;
  }
  if (count === 0) return [...parts];
  const rest = rests.join('');
  const compound = /^[\w*]/.test(rest) ? `${rest}&` : `&${rest}`;
  return [{ combinator: '', compound }, ...parts.slice(count)];
}

/** What a compound says about the root element; undefined when it is about another element. */
function restOfRoot(compound: string): string | undefined {
  const rest = outsideOfTexts(compound.replace(/^(?:html|body)(?![\w\\-]|[^\0-\x7f])/i, ''), rootNames, '', true);
  return rest === compound ? undefined : rest;
}

const rootNames = /&|:(?:root|scope)(?![\w\\-]|[^\0-\x7f])/gi;

function partsOf(selector: string): Part[] {
  const parts: Part[] = [];
  let combinator = '';
  let compound = '';
  const end = (): void => {
    if (compound !== '') parts.push({ combinator, compound });
    compound = '';
  };
  for (const { text, depth } of tokensOf(selector.trim())) {
    if (depth > 0 || !/^[\s>+~]$/.test(text)) {
      compound += text;
      continue;
    }
    if (compound !== '') {
      end();
      combinator = '';
    }
    combinator = text.trim() || combinator || (parts.length > 0 ? ' ' : '');
  }
  end();
  return parts;
}

interface Token {
  readonly text: string;
  /** The number of parentheses and brackets around it. */
  readonly depth: number;
}

/** Strings, escaped characters, and single characters. */
function tokensOf(selector: string): Token[] {
  let depth = 0;
  return (selector.match(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\\[\da-f]{1,6}\s?|\\[^]|[^]/gi) ?? []).map((text) => {
    if (/^[([]$/.test(text)) depth += 1;
    const token = { text, depth };
    if (/^[)\]]$/.test(text)) depth -= 1;
    return token;
  });
}

/** The compound without what is in parentheses, brackets and strings, and without escaped characters. */
const topLevel = (compound: string): string =>
  tokensOf(compound)
    .filter(({ text, depth }) => depth === 0 && text.length === 1)
    .map(({ text }) => text)
    .join('');

const hasNesting = (selector: string): boolean => tokensOf(selector).some(({ text }) => text === '&');

/** Replaces `pattern` where it is no part of a string or an escape; with `atTop`, of parentheses neither. */
function outsideOfTexts(selector: string, pattern: RegExp, by: string, atTop = false): string {
  let written = '';
  let plain = '';
  const flush = (): void => {
    written += plain.replace(pattern, by);
    plain = '';
  };
  for (const { text, depth } of tokensOf(selector)) {
    if (text.length === 1 && !(atTop && depth > 0)) {
      plain += text;
      continue;
    }
    flush();
    written += text;
  }
  flush();
  return written;
}
