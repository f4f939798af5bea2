/** What is wrong with a field of the input, or with the input as a whole. */
export interface Refusal {
  readonly path: readonly string[] | null;
  readonly message: string;
}

/** Why a call failed; every screen has a state for each. */
export type Failure =
  /** The session has ended. */
  | { readonly kind: 'signed_out' }
  /** Step-up: the person has to sign in again, as their sign-in is older than `maxAge` seconds. */
  | { readonly kind: 'sign_in_again'; readonly maxAge: number }
  /** The person has no role in the account of the address. */
  | { readonly kind: 'wrong_account' }
  /** The person may not do or see this. */
  | { readonly kind: 'not_allowed'; readonly message: string }
  /** It does not exist, or the person may not see it. */
  | { readonly kind: 'missing'; readonly message: string }
  /** A rate limit is exhausted; `seconds` until it may be tried again. */
  | { readonly kind: 'too_fast'; readonly seconds: number; readonly message: string }
  /** The current state forbids it. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** Somebody else has changed it since it was read; nothing was written. */
  | { readonly kind: 'stale'; readonly message: string }
  /** The input is wrong. */
  | { readonly kind: 'invalid'; readonly message: string; readonly refusals: readonly Refusal[] }
  /** Unreachable, or an internal error of the platform. */
  | { readonly kind: 'broken'; readonly message: string; readonly requestId: string | undefined };

/** The error of `request`, `run` and `rest`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('message' in failure ? failure.message : failure.kind);
    this.failure = failure;
  }
}

/** Throws the refusals of a mutation's payload as the error that a refused REST write has. */
export function checkAccepted(
  payload: {
    readonly errors: readonly { readonly message: string; readonly path?: readonly string[] | null }[];
  } | null,
): void {
  const [first] = payload?.errors ?? [];
  if (!payload || !first) return;
  const refusals = payload.errors.map(({ message, path = null }) => ({ message, path }));
  throw new ApiError({ kind: 'invalid', message: first.message, refusals });
}

export const failureOf = (error: unknown): Failure =>
  error instanceof ApiError
    ? error.failure
    : { kind: 'broken', message: error instanceof Error ? error.message : String(error), requestId: undefined };

/** The page is of a newer release than the server that answered, which can happen for minutes during a roll-out. */
export const olderPlatform = (answer: Response): Failure => ({
  kind: 'broken',
  message: 'The platform is being updated. Try again in a minute.',
  requestId: answer.headers.get('x-request-id') ?? undefined,
});

/** A sentence with what happened and what to do. */
export function explain(error: unknown): string {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'signed_out':
      return 'You are signed out. Sign in again to continue.';
    case 'sign_in_again':
      return 'This needs a recent sign-in. Sign in again.';
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

/** A duration in words: "2 seconds", "59 minutes". */
export const inWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`;
