/** The longest `next` path. It may contain a waiting authorization request. */
export const longestNext = 14_000;

/** The longest path of any other page. */
const longestPath = 512;

/**
 * Whether `given` is a path on this origin that matches `form`. Dot segments are refused, in every spelling (WHATWG URL), since
 * they lead elsewhere.
 */
export function isOwnPath(given: string, form: RegExp): boolean {
  if (given.length > longestPath || !/^\/(?!\/)[\x21-\x7e]*$/.test(given) || !form.test(given)) return false;
  const { pathname, search, hash } = new URL(given, 'http://localhost');
  return `${pathname}${search}${hash}` === given;
}
