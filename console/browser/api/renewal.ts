const channel = new BroadcastChannel('console-session');
type Listener = (expiresAt: string | undefined) => void;
const listeners = new Set<Listener>();
channel.addEventListener('message', (event: MessageEvent<string | null>) => announce(event.data ?? undefined));

function announce(expiresAt: string | undefined): void {
  for (const listener of listeners) listener(expiresAt);
}

/** Hears of renewals and of the end of the sign-in (undefined), of other tabs too. */
export function onSession(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells this tab and the others. */
export function tellSession(expiresAt: string | undefined): void {
  announce(expiresAt);
  channel.postMessage(expiresAt ?? null);
}

let underWay: Promise<boolean> | undefined;

/**
 * Repeats the code grant without a page: false when the sign-in at the authorization server has ended. One tab at a time; who
 * waited takes what the other got.
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

/** Hears when something was refused until the person signs in again; the sign-in may then be `maxAge` seconds old. */
export function onSignInAgain(ask: (maxAge: number) => void): () => void {
  askers.add(ask);
  return () => askers.delete(ask);
}

export function askToSignInAgain(maxAge: number): void {
  for (const ask of askers) ask(maxAge);
}

/** Where a sign-in begins that comes back to this address; with `maxAge`, a sign-in older than so many seconds is repeated. */
export function signInAddress(account: string | undefined, maxAge?: number): string {
  const query = new URLSearchParams({
    next: location.pathname + location.search + location.hash,
    ...(account !== undefined && { account }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return `/console/sign-in?${query.toString()}`;
}
