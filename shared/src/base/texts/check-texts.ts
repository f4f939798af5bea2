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

/** Refuses JSON with a text, or name of a member, that has a `problemOf`: 400 with its path. */
export function checkTexts(value: unknown, path: readonly (string | number)[] = []): void {
  if (typeof value === 'string') {
    const problem = problemOf(value);
    if (problem !== undefined) throw badRequest(`${nameOf(path)} ${problem}`);
  } else if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) checkTexts(member, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const problem = problemOf(name);
      if (problem !== undefined)
        throw badRequest(`A name in ${path.length === 0 ? 'the body' : nameOf(path)} ${problem}`);
      checkTexts(member, [...path, name]);
    }
  }
}

const nameOf = (path: readonly (string | number)[]): string =>
  path.length === 0 ? 'The text' : `\`${path.join('.')}\``;
