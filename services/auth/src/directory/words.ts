const mostWords = 50;

/** The words of a text as they are looked for: in upper or lower case, each once. */
export const wordsOf = (text: string): string[] =>
  [
    ...new Set(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ].slice(0, mostWords);

/** Whether all of the words occur in the texts. */
export function hasWords(words: readonly string[], ...texts: readonly string[]): boolean {
  const found = new Set(wordsOf(texts.join(' ')));
  return words.every((word) => found.has(word));
}
