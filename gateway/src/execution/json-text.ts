const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex -- JSON escapes them
const longestTested = 200;

/** The text as JSON; most have nothing to escape, and a short look for it costs less than `JSON.stringify`. */
export const quoted = (text: string): string =>
  text.length < longestTested && !needsEscapes.test(text) ? `"${text}"` : JSON.stringify(text);
