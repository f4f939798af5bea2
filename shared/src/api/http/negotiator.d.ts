/** The part that is used here; the package has no types. */
declare module 'negotiator' {
  import type { IncomingMessage } from 'node:http';

  export class Negotiator {
    constructor(request: Pick<IncomingMessage, 'headers'>);
    /** The acceptable ones of `available`, best first; of equal ones, those in `preferred` in its order. */
    encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
  }
}
