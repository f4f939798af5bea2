import type { Delivery } from './document';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a line for a shell; what is secret stands masked in it, as it was read. */
export function curlOf({ method, uri, headers, body }: NonNullable<Delivery['request']>): string {
  return [
    `curl -i -X ${method} ${quoted(uri)}`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
}
