import { explain } from '../api/errors';
import { ofNoField } from '../design/field';
import type { InputError } from '../design/field';

/** A call that came to nothing: that is the fault of no field. */
export const failedCall = (error: unknown): InputError => ({ path: ofNoField, message: explain(error) });
