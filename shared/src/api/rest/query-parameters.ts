import { badRequest } from '../../base/errors/app-error';

/** Parses the query of a URL; repeated or nested parameters are a 400. */
export function parseQueryParameters(url: string): ReadonlyMap<string, string> {
  const start = url.indexOf('?');
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    if (/[[\]]/.test(name)) throw badRequest(`Parameter ${name} must be a plain value`);
    if (parameters.has(name)) throw badRequest(`Parameter ${name} is given more than once`);
    parameters.set(name, value);
  }
  return parameters;
}

/** Refuses parameters that are not in `known`: filters exist for listed fields only. */
export function checkParameters(parameters: ReadonlyMap<string, string>, known: readonly string[]): void {
  const unknown = [...parameters.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw badRequest(`Filtering not allowed on fields: ${unknown.join(', ')}`);
}

/** `a, b` → `['a', 'b']`; `undefined` when absent or empty. */
export function parseList(text: string | undefined): string[] | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length > 0 ? names : undefined;
}
