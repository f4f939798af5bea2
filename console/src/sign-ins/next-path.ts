const longest = 2_000;

/**
 * The path that a sign-in leads to: of this origin, as browsers write it, with one reading only. `/` for anything else, such
 * as `//evil.example`, `/\evil.example` and dot segments, which browsers take away.
 */
export function nextPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > longest || !/^\/(?!\/)[\x21-\x7e]*$/.test(given)) return '/';
  const { origin, pathname, search, hash } = new URL(given, probe);
  return origin === probe && `${pathname}${search}${hash}` === given ? given : '/';
}

const probe = 'https://console.invalid';
