import { setTimeout as pause } from 'node:timers/promises';
import { from, workers } from './attack.mjs';

/** 150 browsers, each of which submits its form again and again. */
const signIns =
  ({ baseUrl, call }) =>
  async (signal, count) => {
    const browser = async (_none, n) => {
      const address = from(`198.51.100.${1 + (n % 15)}`);
      const page = await call(`${baseUrl}/oauth/sign-in`, { headers: address, signal });
      const cookie = (page.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      const token = /name="form_token"[^>]*value="([^"]*)"/.exec(page.text)?.[1] ?? '';
      while (!signal.aborted) {
        const { status } = await call(`${baseUrl}/oauth/sign-in`, {
          method: 'POST',
          headers: { ...address, Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            form_token: token,
            email: `nobody${n}@greedy.example`,
            password: 'wrong',
          }).toString(),
          signal,
        });
        if (signal.aborted) return;
        count(status);
        if (status !== 401) await pause(200);
      }
    };
    await Promise.all(Array.from({ length: 150 }, browser));
  };

function authorizationRequests({ baseUrl, call, application }) {
  const query = new URLSearchParams({
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1/callback',
    state: 'x'.repeat(4_000),
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const headers = from('198.51.100.77');
  return workers(20, (_turn, signal) => call(`${baseUrl}/oauth/authorize?${query}`, { headers, signal }), 302);
}

export const floods = {
  'sign-ins from 15 addresses': signIns,
  'authorization requests without credentials': authorizationRequests,
};
