/** Comments, strings, unquoted addresses, words (with the parenthesis of a function), and single characters. */
const tokens =
  /\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|url\(\s*(?!["'\s])(?:[^)\\]|\\[^])*\)|#?(?:[\w-]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\[^])+\(?|[^]/gi;

/** A part of a value or a prelude. */
export interface Word {
  readonly text: string;
  /** Its name if it is an identifier, with escapes resolved. */
  readonly name: string | undefined;
  /** The value of a string. */
  readonly string: string | undefined;
  /** The number of parentheses around it. */
  readonly depth: number;
  /** The function that it is an argument of, in lower case, and the number of commas before it there. */
  readonly within: string;
  readonly argument: number;
}

export function wordsOf(value: string): Word[] {
  const open: { name: string; commas: number }[] = [];
  return (value.match(tokens) ?? []).map((text) => {
    if (text === ')') open.pop();
    const around = open.at(-1);
    if (text === ',' && around) around.commas += 1;
    const word = { ...read(text), depth: open.length, within: around?.name ?? '', argument: around?.commas ?? 0 };
    if (text.endsWith('(')) open.push({ name: text.slice(0, -1).toLowerCase(), commas: 0 });
    return word;
  });
}

function read(text: string): Pick<Word, 'text' | 'name' | 'string'> {
  if (/^["']/.test(text)) return { text, name: undefined, string: unescaped(text.slice(1, -1)) };
  const isName = /^(?:-?[a-z_\\]|-?[^\0-\x7f]|--)/i.test(text) && !/[()]$/.test(text);
  return { text, name: isName ? unescaped(text) : undefined, string: undefined };
}

/** CSS Syntax 3 §4.3.7. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:([\da-f]{1,6})\s?|\n|([^]))/gi, (_all, hex?: string, character = '') =>
    hex === undefined ? String(character) : String.fromCodePoint(Math.min(parseInt(hex, 16) || 0xfffd, 0x10ffff)),
  );

/** `name` as an identifier; it must begin with a letter or `--`. */
export const escapedName = (name: string): string =>
  name.replace(/[^\w\u0080-\uffff-]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);

/** A family is one string or some words, and is compared without case (CSS Fonts 4 §4.1). */
export const familyOf = (words: readonly Word[]): string =>
  words
    .flatMap(({ name, string }) => name ?? string ?? [])
    .join(' ')
    .toLowerCase();

/** The words between commas that are in no parentheses. */
export function segmentsOf(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const word of words) {
    if (word.text === ',' && word.depth === 0) segments.push([]);
    else segments.at(-1)?.push(word);
  }
  return segments;
}

export const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join('');
