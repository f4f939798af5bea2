const mostWords = 50;

/** The distinct words of a text in lower case, for comparison. */
export const wordsOf = (text: string): string[] =>
  [
    ...new Set(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ].slice(0, mostWords);
