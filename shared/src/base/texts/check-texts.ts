import { badRequest } from '../errors/app-error';

/** C0 controls other than tab and line ends, and halves of surrogate pairs. */
const refused =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/; // eslint-disable-line no-control-regex -- they are what is refused

/** What a text may not hold and where; undefined for a text that can be stored, sent and shown everywhere. */
export function problemOf(text: string): string | undefined {
  const { 0: character = '', index } = refused.exec(text) ?? {};
  if (index === undefined) return undefined;
  const code = character.charCodeAt(0);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `has ${code < 0x20 ? 'the control character' : 'the unpaired surrogate'} ${name} at position ${index}`;
}

/** The levels that a JSON text may have: their check calls itself for each. */
const mostLevels = 500;

/**
 * Refuses JSON with a text, or name of a member, that has a `problemOf`: 400 with its path. Also JSON of more than
 * `mostLevels`.
 */
export const checkTexts = (value: unknown): void => check(value, []);

/** `path` is where `value` is; one list for all, as a copy for each value would cost as much as the value is deep. */
function check(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') {
    const problem = problemOf(value);
    if (problem !== undefined) throw badRequest(`${nameOf(path)} ${problem}`);
  } else if (typeof value === 'object' && value !== null) {
    if (path.length === mostLevels) throw badRequest(`JSON may have at most ${mostLevels} levels`);
    for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const problem = typeof key === 'string' ? problemOf(key) : undefined;
      if (problem !== undefined)
        throw badRequest(`A name in ${path.length === 0 ? 'the body' : nameOf(path)} ${problem}`);
      path.push(key);
      check(member, path);
      path.pop();
    }
  }
}

const nameOf = (path: readonly (string | number)[]): string =>
  path.length === 0 ? 'The text' : `\`${path.join('.')}\``;
