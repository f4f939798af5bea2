import type { Option } from './select';

/**
 * The option that a typed text means when the field is left: the one of that name, or the only one that has the text in
 * its name. react-aria would drop the text.
 */
export function meantBy(typed: string, options: readonly Option[], isLoading: boolean): Option | undefined {
  const text = typed.trim().toLowerCase();
  if (text === '') return undefined;
  const named = options.filter(({ label, value }) => [label.toLowerCase(), value.toLowerCase()].includes(text));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  // Options that are still fetched may be those of another text.
  const matching = isLoading ? [] : options.filter(({ label }) => label.toLowerCase().includes(text));
  return matching.length === 1 ? matching[0] : undefined;
}
