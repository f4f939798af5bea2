import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

test('the bills of materials list all delivered packages with digests, and no development tool', () => {
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

describe('known vulnerabilities by OSV files, without a network', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const versionOf = (name: string): string => lock.packages[`node_modules/${name}`]?.version ?? '';
  const next = (version: string): string => version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const express = versionOf('express');

  function check(advisories: readonly object[]) {
    const folder = mkdtempSync(join(tmpdir(), 'osv-'));
    for (const [n, advisory] of advisories.entries())
      writeFileSync(join(folder, `A-${n}.json`), JSON.stringify({ id: `A-${n}`, summary: 'bad', ...advisory }));
    const script = join(root, 'scripts/supply-chain.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script, '--offline', `--osv=${folder}`], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    return { status, found: [...stdout.matchAll(/^(\S+)@\S+: (A-\d+) bad$/gm)].map(([, name, id]) => [name, id]) };
  }
  const about = (name: string, events: readonly object[], more: object = {}) => ({
    affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }], ...more }],
  });

  test('reports a delivered package whose version is in a range or listed', () => {
    const advisories = [
      about('express', [{ introduced: '0' }, { fixed: next(express) }]),
      about('express', [{ introduced: '1.0.0' }, { last_affected: express }]),
      about('express', [], { versions: [express] }),
      about('express', [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: express }]),
    ];
    expect(check(advisories)).toEqual({ status: 1, found: advisories.map((_one, n) => ['express', `A-${n}`]) });
  });

  test("does not report fixed, withdrawn, later, other registries' or development packages", () => {
    const all = [{ introduced: '0' }];
    const advisories = [
      about('express', [{ introduced: '0' }, { fixed: express }]),
      { ...about('express', all), withdrawn: '2026-01-01T00:00:00Z' },
      about('express', [{ introduced: next(express) }]),
      { affected: [{ package: { ecosystem: 'PyPI', name: 'express' }, ranges: [{ type: 'SEMVER', events: all }] }] },
      about('prettier', all),
      about('express', [{ introduced: `${next(express)}-beta.2` }, { fixed: `${next(express)}-beta.11` }]),
    ];
    expect(check(advisories)).toEqual({ status: 0, found: [] });
  });

  test('without a file it reports that nothing was checked', () => {
    expect(check([]).status).toBe(2);
  });
});
