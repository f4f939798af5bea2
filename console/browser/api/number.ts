/** Ids in addresses are the numbers that REST and webhooks speak of; GraphQL takes them as well as its own ids. */
export function numberOf(id: string): string {
  const text = atob(id.replaceAll('-', '+').replaceAll('_', '/'));
  return text.slice(text.lastIndexOf('/') + 1);
}

/** The GraphQL id of a number; `sample` is any id of the same platform, such as that of the person. */
export function idOf(type: string, number: string, sample: string): string {
  const text = atob(sample.replaceAll('-', '+').replaceAll('_', '/'));
  const domain = text.slice(0, text.indexOf('/'));
  return btoa(`${domain}/${type}/${number}`).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
