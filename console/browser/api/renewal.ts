const channel = new BroadcastChannel('console-session');
type Listener = (expiresAt: string | undefined) => void;
const listeners = new Set<Listener>();
/** What was announced last: a part of the page that loads later must hear it as well. */
let last: { readonly expiresAt: string | undefined } | undefined;
channel.addEventListener('message', (event: MessageEvent<string | null>) => announce(event.data ?? undefined));

function announce(expiresAt: string | undefined): void {
  last = { expiresAt };
  for (const listener of listeners) listener(expiresAt);
}

/**
 * Subscribes to renewals and to the end of the session (undefined), including those in other tabs. The last one before
 * is heard at once.
 */
export function onSession(listener: Listener): () => void {
  listeners.add(listener);
  if (last) listener(last.expiresAt);
  return () => listeners.delete(listener);
}

/** Publishes the session's expiry to this tab and the others. */
export function tellSession(expiresAt: string | undefined): void {
  announce(expiresAt);
  channel.postMessage(expiresAt ?? null);
}

let underWay: Promise<boolean> | undefined;

/**
 * Repeats the code grant silently, without a page; false when the sign-in at the authorization server has ended. Locked
 * across tabs: a tab that waited uses the result of the other one.
 */
export function renewSession(account: string | undefined): Promise<boolean> {
  underWay ??= navigator.locks
    .request('console-renewal', () => renew(account))
    .finally(() => {
      underWay = undefined;
    });
  return underWay;
}

async function renew(account: string | undefined): Promise<boolean> {
  const query = new URLSearchParams({ quiet: '1', ...(account !== undefined && { account }) });
  const answer = await fetch(`/console/sign-in?${query.toString()}`, { headers: { 'X-Console': account ?? '-' } });
  const isRenewed = answer.status === 204;
  tellSession(
    isRenewed ? (answer.headers.get('x-console-expires') ?? new Date(Date.now() + 3_600_000).toISOString()) : undefined,
  );
  return isRenewed;
}

const askers = new Set<(maxAge: number) => void>();
/** Asked before anybody was there to hear it. */
let unheard: number | undefined;

/**
 * Subscribes to refusals that need a new sign-in (step-up), which may be at most `maxAge` seconds old. One that came
 * before the first subscription is heard at once.
 */
export function onSignInAgain(ask: (maxAge: number) => void): () => void {
  askers.add(ask);
  if (unheard !== undefined) ask(unheard);
  unheard = undefined;
  return () => askers.delete(ask);
}

export function askToSignInAgain(maxAge: number): void {
  if (askers.size === 0) unheard = maxAge;
  for (const ask of askers) ask(maxAge);
}

/**
 * The URL that starts a sign-in and returns to the current address; with `maxAge`, a sign-in older than that many
 * seconds is repeated.
 */
export function signInAddress(account: string | undefined, maxAge?: number): string {
  const query = new URLSearchParams({
    next: location.pathname + location.search + location.hash,
    ...(account !== undefined && { account }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return `/console/sign-in?${query.toString()}`;
}
