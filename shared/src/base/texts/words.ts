/** The most words of a query that are searched for. */
const mostWords = 50;

/** Changes whenever the same text would give other parts, so that what is stored is written again. */
export const wordsVersion = 3;

/** The fewest letters by which a word is found that does not begin with them: fewer would match nearly every text. */
const fewestLetters = 3;

/** The most letters of a part: a word of 255 letters would have parts of 32 KB together. */
const mostLetters = 32;

/** Scripts in which one or two characters are a word. Most of them have no spaces between words. */
const dense =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const isDense = new RegExp(`[${dense}]`, 'u');
const stretches = new RegExp(`[${dense}][${dense}\\p{M}]*|[^${dense}]+`, 'gu');

/** ICU has dictionaries of scripts without spaces. They are the same in every language. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A text that folding changes only in case; most are, and folding costs more than the rest of a title's words. */
const ascii = /^[\0-\x7F]*$/;

/** The distinct words of a text, folded for comparison. */
export const wordsOf = (text: string): string[] => [...new Set(stretchesOf(text).flatMap(wordsIn))];

/** The words of a query; more than fifty are not looked at. */
export const wordsOfQuery = (query: string): string[] => wordsOf(query).slice(0, mostWords);

/**
 * The parts by which a text is found, distinct. Of each word: itself, its first two letters, and what is left of it from each
 * further letter on, while that has three letters. In scripts of `dense`, what is left from each character on. So a part of a
 * word is a beginning of something stored, and is found as one range of an index.
 */
export const partsOf = (text: string): string[] => [...new Set(stretchesOf(text).flatMap(partsIn))];

/**
 * Whether parts that begin with this word of a query match too. One or two letters are compared with whole parts, which are
 * then words of one letter, and beginnings of words.
 */
export const isBeginning = (word: string): boolean => isDense.test(word) || lettersOf(word).length >= fewestLetters;

/** Whether a text with these parts has every word of a query. */
export const hasEvery = (parts: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word) => parts.includes(word) || (isBeginning(word) && parts.some((part) => part.startsWith(word))));

/** What stands together in one kind of script, folded. */
const stretchesOf = (text: string): readonly string[] =>
  ascii.test(text)
    ? (text.toLowerCase().match(/[a-z\d]+/g) ?? [])
    : runsOf(text).flatMap((run) => run.match(stretches) ?? []);

/** Letters, digits and the marks that belong to them, with nothing else in between. */
const runsOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Vowel points and other signs of Arabic and Hebrew that most people leave out, and the tatweel. */
const points =
  // eslint-disable-next-line no-misleading-character-class -- The marks are meant one by one.
  /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/g;

/**
 * Folds what people write in two ways and read as one: compatibility forms (NFKC), case (also of letters that become
 * several, ß and ﬁ, and of the Turkish i with and without dot), the two forms of the Greek sigma, the signs that Arabic
 * and Hebrew are mostly written without, and characters that nobody sees. A space of no width separates words.
 */
const fold = (text: string): string =>
  text
    .replaceAll('\u200B', ' ')
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD')
    .replace(/(?<=i\p{M}*)\u0307/gu, '')
    .replace(points, '')
    .normalize('NFKC')
    // The vowel am of Thai and Lao, which the dictionaries know as one character.
    .replaceAll('\u0E4D\u0E32', '\u0E33')
    .replaceAll('\u0ECD\u0EB2', '\u0EB3');

function wordsIn(stretch: string): readonly string[] {
  if (!isDense.test(stretch)) return [stretch];
  return segmentsOf(stretch).map(cut);
}

function partsIn(stretch: string): readonly string[] {
  // Most are, and need none of the work for characters of two units, and for marks.
  const isAscii = ascii.test(stretch);
  const letters = isAscii ? stretch : lettersOf(stretch);
  const fewest = !isAscii && isDense.test(stretch) ? 1 : fewestLetters;
  const beginning = (letters[0] ?? '') + (letters[1] ?? '');
  const parts = fewest === 1 ? [] : [stretch, beginning];
  for (let [at, from] = [0, 0]; at <= letters.length - fewest; at += 1) {
    const letter = letters[at] ?? '';
    if (isAscii || at === 0 || !mark.test(letter)) parts.push(cut(stretch.slice(from)));
    from += letter.length;
  }
  return parts;
}

const cut = (part: string): string =>
  part.length <= mostLetters ? part : lettersOf(part).slice(0, mostLetters).join('');

const mark = /^\p{M}/u;

/** Code points. */
const lettersOf = (text: string): string[] => Array.from(text);

const segmentsOf = (run: string): string[] => Array.from(segmenter.segment(run), ({ segment }) => segment);
