/**
 * Whether `given` is an address on this origin that `form` describes, and goes where it seems to: no dot segments, in whatever
 * way they are written (WHATWG URL).
 */
export function isOwnPath(given: string, form: RegExp): boolean {
  // The longest that the form of the sign-in page carries.
  if (given.length > 512 || !/^\/(?!\/)[\x21-\x7e]*$/.test(given) || !form.test(given)) return false;
  const { pathname, search, hash } = new URL(given, 'http://localhost');
  return `${pathname}${search}${hash}` === given;
}
