import postcss from 'postcss';
import type { Rule } from 'postcss';
import { compileString, Exception, Logger } from 'sass';

/** The compiled and scoped stylesheet, or an error with line and column: a phrase to put after the field's name. */
export function compileStylesheet(scss: string, scope: string): { css: string } | { error: string } {
  try {
    const { css } = compileString(scss, { importers: [], loadPaths: [], charset: false, logger: Logger.silent });
    const scoped = scopeStylesheet(css, scope);
    return scoped.imports ? { error: `must not import anything (${importPlace(scss)})` } : { css: scoped.css };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Exception) {
    const { line, column } = error.span.start;
    return `is not valid: ${shortened(error.sassMessage)} (line ${line + 1}, column ${column + 1})`;
  }
  if (error instanceof postcss.CssSyntaxError)
    return `is not valid once it is compiled: ${error.reason} (line ${error.line ?? 1}, column ${error.column ?? 1})`;
  // The Sass compiler is recursive without a depth limit, so deep nesting overflows the stack.
  if (error instanceof RangeError) return 'is nested too deeply';
  throw error;
}

// Limits the length: the author of the stylesheet chooses the text of an `@error`.
const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

function importPlace(scss: string): string {
  const before = scss.slice(0, Math.max(0, scss.search(/@import/i))).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Puts `scope` before every selector of `css`. Selectors of the page's root elements become the scope itself. */
function scopeStylesheet(css: string, scope: string): { css: string; imports: boolean } {
  const root = postcss.parse(css);
  let imports = false;
  root.walkAtRules('import', () => {
    imports = true;
  });
  root.walkRules((rule) => {
    if (!isKeyframe(rule)) rule.selectors = rule.selectors.map((selector) => scopeSelector(selector, scope));
  });
  return { css: root.toString(), imports };
}

const isKeyframe = ({ parent }: Rule): boolean =>
  parent?.type === 'atrule' && 'name' in parent && /keyframes$/i.test(String(parent.name));

function scopeSelector(selector: string, scope: string): string {
  const rest = selector.replace(/^(?:(?::root|html|body)(?![\w-])\s*)+/i, '');
  // A sibling of the root would be outside of the scope, so it is bound to elements inside.
  if (/^\s*[+~]/.test(rest)) return `${scope} * ${rest}`;
  if (rest === selector) return `${scope} ${selector}`;
  const gap = /\s$/.test(selector.slice(0, selector.length - rest.length)) ? ' ' : '';
  return `${scope}${gap}${rest}`;
}
