const mostWords = 50;

/** The words of a text in the form in which they are compared: in lower case, each once. */
export const wordsOf = (text: string): string[] =>
  [
    ...new Set(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ].slice(0, mostWords);
