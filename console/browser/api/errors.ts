/** Why an answer did not come; every screen has a state for each. */
export type Failure =
  /** The sign-in has ended. */
  | { readonly kind: 'signed_out' }
  /** The person has to sign in again for this, since their sign-in is older than these seconds. */
  | { readonly kind: 'sign_in_again'; readonly maxAge: number }
  /** The person has no role in the account of the address. */
  | { readonly kind: 'wrong_account' }
  /** The person may not do this, or not see it. */
  | { readonly kind: 'not_allowed'; readonly message: string }
  /** There is none, or the person may not see it. */
  | { readonly kind: 'missing'; readonly message: string }
  /** Too many requests or points; `seconds` until it may be tried again. */
  | { readonly kind: 'too_fast'; readonly seconds: number; readonly message: string }
  /** The state of things forbids it for now. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** The input is wrong. */
  | { readonly kind: 'invalid'; readonly message: string; readonly fields: Readonly<Record<string, readonly string[]>> }
  /** Not reached, or a fault of the platform. */
  | { readonly kind: 'broken'; readonly message: string; readonly requestId: string | undefined };

/** What `request`, `run` and `rest` throw. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('message' in failure ? failure.message : failure.kind);
    this.failure = failure;
  }
}

export const failureOf = (error: unknown): Failure =>
  error instanceof ApiError
    ? error.failure
    : { kind: 'broken', message: error instanceof Error ? error.message : String(error), requestId: undefined };

/** The page is of a newer release than what has answered, as may be for minutes while a release goes out. */
export const olderPlatform = (answer: Response): Failure => ({
  kind: 'broken',
  message: 'A part of the platform is still older than this page. Try again in a minute.',
  requestId: answer.headers.get('x-request-id') ?? undefined,
});

/** A sentence that says what happened and what to do. */
export function explain(error: unknown): string {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'signed_out':
      return 'You are signed out. Sign in again to go on.';
    case 'sign_in_again':
      return 'It is a while since you signed in. Sign in again to do this.';
    case 'wrong_account':
      return 'You have no role in this account.';
    case 'too_fast':
      return `${sentence(failure.message)} Try again in ${inWords(failure.seconds)}.`;
    case 'broken':
      return `${sentence(failure.message)}${failure.requestId === undefined ? '' : ` Request ${failure.requestId}.`}`;
    default:
      return failure.message;
  }
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** How long to wait: "2 seconds", "59 minutes". */
export const inWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`;
