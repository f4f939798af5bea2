import type { Delivery } from './document';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a shell command; secrets are masked in it, as they are in the API. */
export function curlOf({ method, uri, headers, body }: NonNullable<Delivery['request']>): string {
  return [
    `curl -i -X ${method} ${quoted(uri)}`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
}
