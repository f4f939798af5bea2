import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts, engines, overrides } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
  overrides: Record<string, string>;
};

describe('the scheduled scan', () => {
  interface Step {
    readonly uses?: string;
    readonly run?: string;
  }
  const text = read('.github/workflows/scan.yml');
  const { jobs, ...workflow } = parse(text) as {
    on: { schedule: { cron: string }[] };
    permissions: Record<string, string>;
    jobs: Record<string, { steps: Step[] }>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => run ?? []).join('\n');

  test('runs weekly, and can only read', () => {
    expect(workflow.on.schedule.map(({ cron }) => cron)).toEqual([expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/)]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('every action is given by its commit, with its version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action);
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('calls only scripts that exist, and scans packages, bills of materials and the base image', () => {
    const called = [...commands.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name);
    expect(called).toEqual(['supply-chain', 'sbom']);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
    const files = [...commands.matchAll(/node (\S+) (\S+) (\w+)/g)].map(([, ...words]) => words);
    expect(files).toEqual([['deploy/base-images.mjs', 'Dockerfile', 'RUNTIME_IMAGE']]);
    for (const path of files.flatMap((words) => words.slice(0, 2))) expect(existsSync(join(root, path))).toBe(true);
    expect(read('Dockerfile')).toMatch(/^ARG RUNTIME_IMAGE=/m);
  });
});

describe('renovate.json', () => {
  interface Rule {
    readonly matchPackageNames?: readonly string[];
    readonly matchDepTypes?: readonly string[];
    readonly matchUpdateTypes?: readonly string[];
    readonly [setting: string]: unknown;
  }
  const { packageRules: rules, ...config } = JSON.parse(read('renovate.json')) as {
    extends: string[];
    constraints: { node: string };
    packageRules: Rule[];
  };

  test('pins digests, and leaves overrides alone', () => {
    expect(config.extends).toEqual(['config:best-practices']);
    expect(Object.keys(overrides)).not.toEqual([]);
    expect(rules.filter(({ matchDepTypes }) => matchDepTypes?.includes('overrides'))).toEqual([
      expect.objectContaining({ enabled: false }),
    ]);
  });

  test('delivered packages must run on the oldest supported Node.js', () => {
    expect(config.constraints.node.split(' || ')[0]).toBe(`${engines.node.replace('>=', '^')}.0`);
    expect(rules.find(({ matchDepTypes }) => matchDepTypes?.includes('dependencies'))).toMatchObject({
      constraintsFiltering: 'strict',
    });
  });

  test('names packages that the lock file has, and no major version of a large one comes by itself', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: object };
    const paths = Object.keys(packages);
    const named = rules.flatMap(({ matchPackageNames = [] }) => matchPackageNames).filter((name) => name !== 'node');
    const isLocked = (name: string): boolean =>
      paths.some((path) =>
        name.endsWith('/**') ? path.startsWith(`node_modules/${name.slice(0, -2)}`) : path === `node_modules/${name}`,
      );
    expect(named.filter((name) => !isLocked(name))).toEqual([]);
    const grouped = rules
      .filter((rule) => 'groupName' in rule)
      .flatMap(({ matchPackageNames = [] }) => matchPackageNames);
    expect(rules.find((rule) => rule['dependencyDashboardApproval'])).toMatchObject({
      matchPackageNames: grouped,
      matchUpdateTypes: ['major'],
    });
  });
});
