/** Forbids everything except the empty icon; each page lists what else it needs. */
const closed = {
  'default-src': "'none'",
  'style-src': "'none'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'form-action': "'none'",
};

/** Directives of a Content-Security-Policy by name; undefined ones are left out. */
type PolicyNeeds = Readonly<Record<string, string | undefined>>;

/**
 * The headers of every HTML page: a restrictive Content-Security-Policy (Level 3), no storage in caches, and no
 * referrer, since URLs may contain secrets.
 */
export const pageHeaders = (needs: PolicyNeeds): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': Object.entries({ ...closed, ...needs })
    .flatMap(([directive, value]) => (value === undefined ? [] : [`${directive} ${value}`.trimEnd()]))
    .join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});
