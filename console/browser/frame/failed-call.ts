import { explain } from '../api/errors';
import { ofNoField } from '../design/input-error';
import type { InputError } from '../design/input-error';

/** The error of a failed call, which belongs to no field. */
export const failedCall = (error: unknown): InputError => ({ path: ofNoField, message: explain(error) });
