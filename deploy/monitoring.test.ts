import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { queues } from '@itsm/shared/contracts/topology';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createHealth } from '@itsm/shared/observing/metrics/health';
import { startOpsServer } from '@itsm/shared/running/ops-server';
import { deployables } from './deployables';

const root = join(__dirname, '..');
const monitoring = join(root, 'k8s/components/monitoring');
const read = (name: string): string => readFileSync(join(monitoring, name), 'utf8');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}
const { groups } = parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => rule.alert !== undefined);
const dashboard = JSON.parse(read('dashboard.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { definition?: string }[] };
};
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** Kind and labels of each of our own metrics, by its name, as the sources declare them. */
function ownMetrics(): Map<string, { kind: string; labels: string[] }> {
  const sources = ['shared/src', 'services', 'gateway/src'].flatMap((folder) =>
    execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts')),
  );
  const metrics = new Map<string, { kind: string; labels: string[] }>();
  for (const path of sources) {
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    for (const [, kind = '', body = ''] of text.matchAll(/new (Counter|Gauge|Histogram)\(\{([\s\S]*?)\}\)/g)) {
      const name = /name: '([^']+)'/.exec(body)?.[1];
      const labels = /labelNames: \[([^\]]*)\]/.exec(body)?.[1] ?? '';
      if (name) metrics.set(name, { kind, labels: [...labels.matchAll(/'([^']+)'/g)].map(([, label = '']) => label) });
    }
  }
  return metrics;
}

/** The metrics that a process shows at its ops port: the name and kind of each. */
async function shown(): Promise<[string, string][]> {
  const health = createHealth([], silentLogger);
  const server = await startOpsServer(health, 0, '127.0.0.1');
  try {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]);
  } finally {
    await server.close();
    health.close();
  }
}

/** The series that queries may use: those of all metrics, those that rules record, and Prometheus' own `up`. */
async function series(): Promise<Set<string>> {
  const own = [...ownMetrics()].map(([name, { kind }]): [string, string] => [name, kind.toLowerCase()]);
  const names = [...(await shown()), ...own].flatMap(([name, kind]) =>
    kind === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
  );
  return new Set([...names, ...rules.flatMap(({ record = [] }) => record), 'up']);
}

const namesIn = (expr: string): string[] =>
  [...expr.replace(/"[^"]*"/g, '').matchAll(/\b([a-z_][a-z0-9_:]*)\s*(?=[{[]|\)|\s|$)/g)]
    .map(([, name = '']) => name)
    .filter((name) => /_|:|^up$/.test(name) && !/^(histogram_quantile|min_over_time|label_values|__)/.test(name));

test('every series that a rule or a panel queries is exported by a process', async () => {
  const known = await series();
  const asked = new Set(expressions.flatMap(namesIn));
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
  expect(asked.size).toBeGreaterThan(20);
});

test('every metric of our own is on the dashboard', () => {
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const recorded = rules.filter(({ record }) => record !== undefined && shown.includes(record)).map(({ expr }) => expr);
  const missing = [...ownMetrics().keys()].filter((name) => !`${shown}\n${recorded.join('\n')}`.includes(name));
  expect(missing).toEqual([]);
});

test('queries use only existing labels, services and queues', () => {
  const own = ownMetrics();
  const ofTargets = ['namespace', 'service', 'instance', 'le'];
  const known = new Set([...[...own.values()].flatMap(({ labels }) => labels), ...ofTargets]);
  for (const expr of expressions) {
    const used = [...expr.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label);
    const grouped = [...expr.matchAll(/(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    expect([expr, [...used, ...grouped].filter((label) => !known.has(label))]).toEqual([expr, []]);
    for (const [, , names = ''] of expr.matchAll(/service(=~|=)"([^"$]+)"/g))
      for (const name of names.split('|')) expect(deployables).toContain(name);
  }
  const absent = alerts.find(({ alert }) => alert === 'ServiceDown')?.expr ?? '';
  for (const name of deployables) expect(absent).toContain(`absent(up{namespace="itsm", service="${name}"})`);
  const topology = Object.values(queues).map(({ name }) => name);
  const tested = [...read('alerts.test.yaml').matchAll(/queue="([^"]+)"/g)].map(([, name = '']) => name);
  expect(tested.filter((name) => !topology.includes(name))).toEqual([]);
});

test('each alert has a severity, a summary and a runbook, and each runbook has an alert', () => {
  for (const { alert = '', labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels?.severity);
    expect(annotations?.summary.length).toBeGreaterThan(20);
    expect(annotations?.runbook_url).toBe(`docs/runbooks/${alert}.md`);
  }
  const pages = readdirSync(join(root, 'docs/runbooks')).sort();
  expect(pages).toEqual([...new Set(alerts.map(({ alert }) => `${alert}.md`))].sort());
});

const sources = (...paths: string[]): string => paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

test('docs/operations.md has every alert with its severity, every metric of our own and every dependency', () => {
  const page = sources('docs/operations.md');
  const rows = [...page.matchAll(/^\| \[(\w+)\]\(runbooks\/(\w+)\.md\) \| (\w+) \|/gm)].map((row) => row.slice(1));
  expect(rows).toEqual(alerts.map(({ alert, labels }) => [alert, alert, labels?.severity]));
  expect([...ownMetrics().keys()].filter((name) => !page.includes(`\`${name}`))).toEqual([]);

  const code = sources('shared/src/running/dependencies.ts', 'gateway/src/main.ts');
  const dependencies = [...code.matchAll(/name: '([^']+)',\s+vital/g)].map(([, name = '']) => name).sort();
  const named = [...(/^\| `dependency_up.*$/m.exec(page)?.[0] ?? '').matchAll(/`([a-z ]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(dependencies);
  const asked = expressions.flatMap((expr) => [...expr.matchAll(/dependency_up\{[^}]*name="([^"]+)"/g)]);
  expect([...new Set(asked.map(([, name]) => name))].sort()).toEqual(dependencies);
});

test('each runbook says what happened, what it does to people, where to look and what to do', () => {
  for (const { alert = '' } of alerts) {
    const page = readFileSync(join(root, `docs/runbooks/${alert}.md`), 'utf8');
    expect(page.startsWith(`# ${alert}\n`)).toBe(true);
    expect(page.match(/^## .*/gm)).toEqual(['## What it does to people', '## Look', '## Do']);
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(root, 'docs/runbooks', path)))).toEqual([]);
  }
});

test('each alert has a test in which it fires and one in which it does not', () => {
  const { tests } = parse(read('alerts.test.yaml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const checks = tests.flatMap(({ alert_rule_test: all }) => all);
  for (const { alert } of alerts) {
    const counts = checks
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts: fired }) => fired.length > 0);
    expect([alert, counts.includes(true), counts.includes(false)]).toEqual([alert, true, true]);
  }
});

const promtool = (...parameters: string[]) => spawnSync('promtool', parameters, { cwd: monitoring, encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

// promtool comes with Debian's package `prometheus`; `REQUIRE_PROMTOOL=true` makes its absence a failure.
const withPromtool = hasPromtool || process.env['REQUIRE_PROMTOOL'] === 'true' ? test : test.skip;
withPromtool('promtool (apt-get install prometheus) accepts the rules, and their tests pass', () => {
  for (const parameters of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr, error } = promtool(...parameters);
    expect([error?.message, status, stdout + stderr]).toEqual([undefined, 0, expect.stringContaining('SUCCESS')]);
  }
});
