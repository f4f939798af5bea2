/** Why a text is refused that would not be shown in one line. */
export const inOneLine = (text: string): string | undefined =>
  /\p{Cc}/u.test(text) ? 'may not hold control characters' : undefined;
