const mask = '***';

/** The URL for display: credentials and query values are masked, since they are secrets of the receiver. */
export function maskUri(text: string): string {
  if (!URL.canParse(text)) return mask;
  const url = new URL(text);
  const credentials = url.username === '' && url.password === '' ? '' : `${mask}@`;
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${mask}`);
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}
