import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Router } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { codingFor, contentCodings } from '@itsm/shared/api/http/content-coding';
import type { ContentCoding } from '@itsm/shared/api/http/content-coding';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { consoleAssetMisses } from '@itsm/shared/observing/metrics/metrics';

const suffixes: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<ContentCoding, Buffer>;
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
      const coding = codingFor(req, [...asset.encoded.keys()]);
      if (coding) res.set('Content-Encoding', coding);
      res.send(coding ? asset.encoded.get(coding) : asset.plain);
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** All files are read into memory; a name without an entry never reaches the file system. */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(join(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('assets/') && statSync(join(folder, name)).isFile())
    .filter((name) => !Object.values(suffixes).some((suffix) => name.endsWith(suffix)));
  return new Map(names.map((name) => [name, readAsset(join(folder, name))]));
}

const readAsset = (file: string): Asset => ({
  type: extname(file),
  plain: readFileSync(file),
  encoded: new Map(
    contentCodings
      .filter((coding) => existsSync(file + suffixes[coding]))
      .map((coding) => [coding, readFileSync(file + suffixes[coding])]),
  ),
});
