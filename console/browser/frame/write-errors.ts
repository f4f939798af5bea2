import { explain, failureOf } from '../api/errors';
import { ofNoField } from '../design/input-error';
import type { InputError } from '../design/input-error';

/**
 * Why the write of a form failed, as its errors. `fieldOf` is the field of the form for a member of the body; refusals of
 * others are those of the form as a whole.
 */
export function writeErrors(
  error: unknown,
  fieldOf: (member: string | undefined) => string | undefined,
): readonly InputError[] {
  const failure = failureOf(error);
  const refusals = failure.kind === 'invalid' ? failure.refusals : [];
  if (refusals.length === 0) return [{ path: ofNoField, message: `${explain(error)} Your input is kept.` }];
  return refusals.map(({ path, message }) => ({ path: fieldOf(path?.[0]) ?? ofNoField, message }));
}
