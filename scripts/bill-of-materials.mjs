// npm run sbom: writes a CycloneDX bill of materials for each image to sbom/, from the lock file alone. (`npm sbom`
// leaves out packages that one workspace needs for production and another one for development.)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const services = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'].map((name) => `services/${name}`);

mkdirSync(join(root, 'sbom'), { recursive: true });
for (const folder of ['gateway', 'console', ...services]) {
  const name = `itsm-${folder.split('/').at(-1)}`;
  const components = [...deliveredBy(folder)].sort().map(toComponent);
  const component = { type: 'application', name, version: packages[folder].version };
  const metadata = { component, lifecycles: [{ phase: 'pre-build' }] };
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components };
  writeFileSync(join(root, 'sbom', `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  process.stdout.write(`sbom/${name}.cdx.json: ${components.length} components\n`);
}

/** The lock file's paths of all packages that a folder needs, by Node.js module resolution. */
function deliveredBy(folder, found = new Set()) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[folder];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const place = placeOf(name, folder);
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    deliveredBy(place, found);
  }
  return found;
}

function placeOf(name, folder) {
  for (let from = folder; ; from = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '') {
    const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
    if (packages[place]) return packages[place].link ? packages[place].resolved : place;
    if (from === '') return undefined;
  }
}

function toComponent(place) {
  const { version, license, integrity, name: own } = packages[place];
  const name = own ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': place,
    name,
    version,
    purl,
    ...(license && { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
  };
}
