import postcss from 'postcss';
import type { Rule } from 'postcss';

/** Puts `scope` before every selector of `css`; the page's own root elements become the scope itself. */
export function scopeStylesheet(css: string, scope: string): { css: string; imports: boolean } {
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
  // A sibling of the scope would be outside of it.
  if (/^\s*[+~]/.test(rest)) return `${scope} * ${rest}`;
  if (rest === selector) return `${scope} ${selector}`;
  const gap = /\s$/.test(selector.slice(0, selector.length - rest.length)) ? ' ' : '';
  return `${scope}${gap}${rest}`;
}
