import { explain } from '../api/errors';
import { ofNoField } from '../design/field';
import type { InputError } from '../design/field';

/** The error of a failed call, which belongs to no field. */
export const failedCall = (error: unknown): InputError => ({ path: ofNoField, message: explain(error) });
