const mask = '***';

/** The address as people may see it: credentials and the values of query parameters are secrets of the receiver. */
export function maskUri(text: string): string {
  if (!URL.canParse(text)) return mask;
  const url = new URL(text);
  const credentials = url.username === '' && url.password === '' ? '' : `${mask}@`;
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${mask}`);
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}
