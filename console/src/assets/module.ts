import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Router } from 'express';
import { createAssetRoutes } from './asset.routes';
import { readEntry } from './manifest';
import type { Entry } from './manifest';

export interface Assets {
  readonly router: Router;
  /** Identifies Vite's build: pages with another one are older or newer. */
  readonly build: string;
  /** The entry of a page; undefined when the browser part has not been built. */
  readonly entry: Entry | undefined;
}

/** Reads Vite's output in `folder` once, at the start of the process. */
export function createAssets(folder: string): Assets {
  const file = join(folder, '.vite/manifest.json');
  const manifest = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  return {
    router: createAssetRoutes(folder),
    build: createHash('sha256')
      .update(manifest ?? '')
      .digest('hex')
      .slice(0, 12),
    entry: manifest === undefined ? undefined : readEntry(manifest),
  };
}
