/** The most words of a query that are searched for. */
const mostWords = 50;

/** Changes whenever the same text would give other words, so that what is stored is written again. */
export const wordsVersion = 2;

/** Scripts whose words have no spaces between them; ICU has dictionaries of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The dictionaries are the same in every language. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A text that folding changes only in case; most are, and folding costs more than the rest of a title's words. */
const ascii = /^[\0-\x7F]*$/;

/** The distinct words of a text, folded for comparison. */
export const wordsOf = (text: string): string[] => [
  ...new Set(ascii.test(text) ? text.toLowerCase().match(/[a-z\d]+/g) : runsOf(text).flatMap(wordsIn)),
];

/** The words of a query; more than fifty are not looked at. */
export const wordsOfQuery = (query: string): string[] => wordsOf(query).slice(0, mostWords);

/** Whether a word that begins with this word of a query matches too: a single letter would match nearly every text. */
export const isBeginning = (word: string): boolean => unspaced.test(word) || word.length > 1;

/** Whether a text with these words has every word of a query, or words that begin with it. */
export const hasEvery = (found: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word) => found.includes(word) || (isBeginning(word) && found.some((one) => one.startsWith(word))));

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

function wordsIn(run: string): readonly string[] {
  if (!unspaced.test(run)) return [run];
  const words = segmentsOf(run);
  // A word may be divided differently when it stands alone, as it does in a query.
  return words.length === 1 ? words : words.flatMap((word) => [word, ...segmentsOf(word)]);
}

const segmentsOf = (run: string): string[] => Array.from(segmenter.segment(run), ({ segment }) => segment);
