import postcss from 'postcss';
import type { Root } from 'postcss';
import { compileString, Exception, Logger } from 'sass';
import { findUnscopable, scopeStylesheet } from './scope-stylesheet';
import { isTooLong } from '../contents/content';

/** The compiled and scoped stylesheet, or an error with its place: a phrase to put after the field's name. */
export function compileStylesheet(scss: string, scope: string): { css: string } | { error: string } {
  try {
    const { css } = compileString(scss, { ...settings, style: 'compressed' });
    const root = postcss.parse(css);
    const unscopable = findUnscopable(root);
    if (unscopable !== undefined) return { error: refusalOf(unscopable, scss) };
    scopeStylesheet(root, scope);
    const scoped = root.toString();
    return isTooLong(scoped) ? { error: tooLong(root, scoped) } : { css: scoped };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

const settings = { importers: [], loadPaths: [], charset: false, logger: Logger.silent };

function refusalOf(atRule: string, scss: string): string {
  const place = placeOf(`@${atRule}`, scss);
  if (atRule.toLowerCase() === 'import') return `must not import anything${place}`;
  return `must not contain @${shortened(atRule)}, which cannot be kept within the extension${place}`;
}

function tooLong(root: Root, css: string): string {
  let largest = { name: '', bytes: 0 };
  root.walk((node) => {
    const isPart =
      node.type === 'atrule'
        ? !node.nodes?.some(({ type }) => type !== 'decl')
        : node.type === 'rule' && node.parent !== root;
    const bytes = isPart ? Buffer.byteLength(node.toString()) : 0;
    if (bytes > largest.bytes)
      largest = { name: 'selector' in node ? node.selector : `@${'name' in node ? node.name : ''}`, bytes };
  });
  const part = largest.name.length > 60 ? `${largest.name.slice(0, 60)}…` : largest.name;
  return `is longer than 64 KB once it is compiled (${Buffer.byteLength(css)} bytes); its largest rule is ${part} (${largest.bytes} bytes)`;
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

/** Empty when a loop or a mixin wrote it. */
function placeOf(text: string, scss: string): string {
  const at = scss.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return '';
  const before = scss.slice(0, at).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
