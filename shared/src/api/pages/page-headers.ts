/** Everything is forbidden but the empty icon; a page names what else it needs. */
const closed = {
  'default-src': "'none'",
  'style-src': "'none'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'form-action': "'none'",
};

/** Directives of a Content-Security-Policy by name; one without a value is left out. */
type PolicyNeeds = Readonly<Record<string, string | undefined>>;

/**
 * The headers of every page for a browser: what it may do (Content-Security-Policy 3), it is not stored, and secrets in
 * its address go nowhere.
 */
export const pageHeaders = (needs: PolicyNeeds): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': Object.entries({ ...closed, ...needs })
    .flatMap(([directive, value]) => (value === undefined ? [] : [`${directive} ${value}`.trimEnd()]))
    .join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});
