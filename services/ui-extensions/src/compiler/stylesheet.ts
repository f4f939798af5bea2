import postcss from 'postcss';
import { compileString, Exception, Logger } from 'sass';
import { scopeStylesheet } from './scope-stylesheet';

/** The compiled and scoped stylesheet, or what is wrong with the SCSS and where: a text that follows the field's name. */
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
  // The compiler descends by recursion, without a limit of its own.
  if (error instanceof RangeError) return 'is nested too deeply';
  throw error;
}

// The author chooses the text of an `@error`, which may be of any length.
const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

function importPlace(scss: string): string {
  const before = scss.slice(0, Math.max(0, scss.search(/@import/i))).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
