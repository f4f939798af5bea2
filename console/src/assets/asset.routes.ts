import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Router } from 'express';
import type { Request } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { consoleAssetMisses } from '@itsm/shared/observing/metrics/metrics';

/** By preference, smallest first: the token of `Accept-Encoding`, and the file suffix. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  /** By encoding, smallest first. */
  readonly encoded: readonly (readonly [encoding: string, content: Buffer])[];
}

/** Serves the hashed files of the browser part. A name never changes its content, so files are immutable for caches. */
export function createAssetRoutes(folder: string): Router {
  const assets = readAssets(folder);
  const router = Router({ caseSensitive: true });
  router
    .route('/*name')
    .get((req, res) => {
      res.set('X-Content-Type-Options', 'nosniff');
      const asset = assets.get(req.path.slice(1));
      if (!asset) {
        // After an upgrade, open pages of the previous build still request its files.
        consoleAssetMisses.inc();
        res.set('Cache-Control', 'no-store');
        throw notFound();
      }
      res.set('Cache-Control', 'public, max-age=31536000, immutable').vary('Accept-Encoding').type(asset.type);
      const [encoding, content] = asset.encoded.find(([one]) => accepts(req, one)) ?? [];
      if (encoding !== undefined) res.set('Content-Encoding', encoding);
      res.send(content ?? asset.plain);
    })
    .all(methodNotAllowed('GET'));
  return router;
}

const accepts = (req: Request, encoding: string): boolean => req.acceptsEncodings(encoding) === encoding;

/** All files are read into memory; a name without an entry never reaches the file system. */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(join(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('assets/') && statSync(join(folder, name)).isFile())
    .filter((name) => !encodings.some(([, ending]) => name.endsWith(ending)));
  return new Map(names.map((name) => [name, readAsset(join(folder, name))]));
}

const readAsset = (file: string): Asset => ({
  type: extname(file),
  plain: readFileSync(file),
  encoded: encodings.flatMap(([encoding, ending]) =>
    existsSync(file + ending) ? [[encoding, readFileSync(file + ending)] as const] : [],
  ),
});
