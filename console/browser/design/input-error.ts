/** The path of errors that belong to no field. */
export const ofNoField = '';

/** An error of the input: the field's path in the API, and the message. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}
