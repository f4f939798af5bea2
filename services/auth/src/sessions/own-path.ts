/**
 * Whether `given` is a path on this origin that matches `form`. Dot segments are refused, in every spelling (WHATWG URL), since
 * they lead elsewhere.
 */
export function isOwnPath(given: string, form: RegExp): boolean {
  // The form of the sign-in page carries no longer path.
  if (given.length > 512 || !/^\/(?!\/)[\x21-\x7e]*$/.test(given) || !form.test(given)) return false;
  const { pathname, search, hash } = new URL(given, 'http://localhost');
  return `${pathname}${search}${hash}` === given;
}
