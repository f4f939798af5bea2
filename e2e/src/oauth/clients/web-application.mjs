import { randomUUID } from 'node:crypto';
import express from 'express';

const { PLATFORM: platform, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
export const settings = { platform, clientId, clientSecret };

/**
 * A web application that acts on behalf of people. `/login` redirects to the platform; `/callback` answers with both
 * pairs of tokens as JSON, the first and the refreshed one. `mount(app, redirectUri)` adds these two routes;
 * `req.session` is available.
 */
export function serveApplication(mount) {
  const sessions = new Map();
  const app = express();
  app.use((req, res, next) => {
    const id = /sid=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1] ?? randomUUID();
    if (!sessions.has(id)) sessions.set(id, {});
    req.session = sessions.get(id);
    res.setHeader('Set-Cookie', `sid=${id}; HttpOnly`);
    next();
  });
  const listening = app.listen(0, '127.0.0.1', async () => {
    const origin = `http://127.0.0.1:${listening.address().port}`;
    await mount(app, `${origin}/callback`);
    app.use((error, _req, res, next) => {
      if (res.headersSent) next(error);
      else res.status(500).json({ error: `${error.stack}\n${JSON.stringify(error)}` });
    });
    process.stdout.write(`listening at ${origin}\n`);
  });
  process.once('SIGTERM', () => listening.close());
}
