/** The number in a GraphQL id, for addresses, REST and webhooks; GraphQL accepts numbers as well. */
export function numberOf(id: string): string {
  const text = atob(id.replaceAll('-', '+').replaceAll('_', '/'));
  return text.slice(text.lastIndexOf('/') + 1);
}

/** The GraphQL id of a number; `sample` is any id of the platform, such as the person's. */
export function idOf(type: string, number: string, sample: string): string {
  const text = atob(sample.replaceAll('-', '+').replaceAll('_', '/'));
  const domain = text.slice(0, text.indexOf('/'));
  return btoa(`${domain}/${type}/${number}`).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
