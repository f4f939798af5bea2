import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A website of a third party. */
export interface Site {
  /** For cookies, `localhost` is the same site as the platform, and `127.0.0.1` another one. */
  origin(host: 'localhost' | '127.0.0.1'): string;
  show(html: string): void;
  /** Redirects `path` to `location` from now on, or not any more. */
  redirect(path: string, location: string | undefined): void;
  close(): Promise<void>;
}

/** Answers every path without a redirect with the page that was last passed to `show`. */
export async function startSite(): Promise<Site> {
  let shown = '<title>elsewhere</title>';
  const redirects = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const location = redirects.get(request.url?.split('?')[0] ?? '');
    if (location !== undefined) {
      response.writeHead(302, { Location: location }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><link rel="icon" href="data:,">${shown}`);
  });
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    origin: (host) => `http://${host}:${port}`,
    show: (html) => void (shown = html),
    redirect: (path, location) => void redirects.set(path, location),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
