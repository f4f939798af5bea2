const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex -- JSON escapes them
const longestTested = 200;

/** The text as JSON. Most texts need no escapes, and checking that is cheaper than `JSON.stringify`. */
export const quoted = (text: string): string =>
  text.length < longestTested && !needsEscapes.test(text) ? `"${text}"` : JSON.stringify(text);
