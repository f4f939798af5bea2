import type { Refusal } from '../api/errors';
import { ofNoField } from '../design/input-error';
import type { InputError } from '../design/input-error';

/** The labels of a form's fields, by their names in the API. */
type Labels = Readonly<Record<string, string>>;

/**
 * The refusals as errors of a form. The API begins its messages with its own name of the field ("Jwt audience is too
 * long"), which people do not know: the label of the field takes its place.
 */
export const fieldErrors = (refusals: readonly Refusal[], labels: Labels): InputError[] =>
  refusals.map(({ path, message }) => {
    const name = path?.[0] ?? ofNoField;
    const label = labels[name];
    return { path: name, message: label === undefined ? message : message.replace(inWords(name), () => label) };
  });

/** Matches the API's words for a field at the beginning of a message: `jwtAudience` is "Jwt audience". */
function inWords(name: string): RegExp {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ');
  // The name of a relation ends with its id, which the messages leave out.
  return new RegExp(`^${words.replace(/ id$/i, '(?: id)?')}\\b`, 'i');
}
