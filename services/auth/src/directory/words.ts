import { wordsOf } from '@itsm/shared/base/texts/words';

/** Whether all of the words occur in the texts. */
export function hasWords(words: readonly string[], ...texts: readonly string[]): boolean {
  const found = new Set(wordsOf(texts.join(' ')));
  return words.every((word) => found.has(word));
}
