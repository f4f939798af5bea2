import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly hashes?: readonly unknown[];
    readonly purl?: string;
  }[];
}

const services = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'];

test('the bills of materials name all that is delivered, with digests, and no tool of development', () => {
  execFileSync(process.execPath, [join(root, 'scripts/bill-of-materials.mjs')], { stdio: 'pipe' });
  const listed = ['gateway', ...services, 'console'].map(
    (name) => JSON.parse(readFileSync(join(root, `sbom/itsm-${name}.cdx.json`), 'utf8')) as Bill,
  );
  const auth = listed[1]?.components ?? [];
  const named = auth.map(({ name }) => name);
  expect(listed[1]).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'itsm-auth' } } });
  expect(named).toEqual(
    expect.arrayContaining(['express', 'mongoose', 'mongodb', 'jsonwebtoken', 'helmet', '@itsm/shared']),
  );
  for (const tool of ['jest', 'eslint', 'typescript', 'prettier']) expect(named).not.toContain(tool);
  for (const { components } of listed) {
    const others = components.filter(({ name }) => !name.startsWith('@itsm/'));
    expect(others.length).toBeGreaterThan(50);
    expect(others.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  }
});
