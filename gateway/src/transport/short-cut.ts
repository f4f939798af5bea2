import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

type Handle = (req: IncomingMessage, res: ServerResponse, next?: unknown) => unknown;

/** Answers what `isMeant` with `handle`, past all routers of `http`. */
export function addShortCut(http: Express, isMeant: (req: IncomingMessage) => boolean, handle: Handle): void {
  const routed = http as unknown as { handle: Handle };
  const handleRouted = routed.handle.bind(http);
  routed.handle = (req, res, next) => (isMeant(req) ? handle(req, res) : handleRouted(req, res, next));
}
