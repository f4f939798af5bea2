import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { knownBrowserCookie, networkRefusalHeader } from '@itsm/shared/api/http/network-refusal';
import { createPages } from '@itsm/shared/api/pages/page';
import { pageHeaders } from '@itsm/shared/api/pages/page-headers';
import { createStylesheet } from '@itsm/shared/api/pages/stylesheet';
import type { Clock } from '@itsm/shared/base/time/clock';

/**
 * Answers the sign-ins of a network itself while auth has announced that it refuses them all. Requests from browsers
 * with a sign-in before, and from other networks, still go to auth.
 */
export interface SignInRefusals {
  /** Whether the request was refused, in which case the answer has been sent. */
  refuse(req: IncomingMessage, res: ServerResponse, network: string): boolean;
  /** Reads from an answer of auth for how long it refuses sign-ins of the network. */
  learn(network: string, headers: IncomingHttpHeaders): void;
}

/** The longest back-off of a network after wrong passwords. */
const longestSeconds = 5;
const mostNetworks = 10_000;

export function createSignInRefusals(now: Clock): SignInRefusals {
  const until = new Map<string, number>();
  return {
    refuse(req, res, network) {
      const milliseconds = (until.get(network) ?? 0) - now().getTime();
      if (milliseconds <= 0) {
        until.delete(network);
        return false;
      }
      if (hasCookie.test(req.headers.cookie ?? '')) return false;
      const retryAfter = String(Math.ceil(milliseconds / 1_000));
      res.writeHead(429, { ...headers, 'Retry-After': retryAfter }).end(page);
      return true;
    },
    learn(network, { [networkRefusalHeader]: given }) {
      const seconds = Math.min(longestSeconds, Number(given ?? 0));
      if (!(seconds > 0)) return;
      until.delete(network);
      until.set(network, now().getTime() + seconds * 1_000);
      const [oldest] = until.keys();
      if (until.size > mostNetworks && oldest !== undefined) until.delete(oldest);
    },
  };
}

const hasCookie = new RegExp(`(?:^|;\\s*)(?:__Host-)?${knownBrowserCookie}=`);

const stylesheet = createStylesheet('body { padding: 1.5rem; } main { max-width: 30rem; margin: 0 auto; }');
const page = createPages({ stylesheet })({
  title: 'Sign in',
  template: /* html */ `<main class="card"><h1>This request cannot be completed</h1>
<p>Too many sign-ins at once. Please try again in a moment.</p>
<a href="/oauth/sign-in">Go to sign-in</a></main>
`,
  data: {},
});
const headers = {
  ...pageHeaders({ 'style-src': stylesheet.source }),
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(page),
};
