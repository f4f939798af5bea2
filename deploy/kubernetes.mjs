// node deploy/kubernetes.mjs [--check]
// Generates k8s/overlays from the table k8s/environments.json and the alert rules, and the index jobs from the
// deployments. With --check it writes nothing, and fails if a file is out of date.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { parse, stringify } from 'yaml';
import { indexJob } from './index-job.mjs';
import { overlayFiles, storeUsers } from './overlay.mjs';

const k8s = join(dirname(dirname(fileURLToPath(import.meta.url))), 'k8s');
const alertsFile = 'components/monitoring/alerts.yaml';
const header = (path) =>
  path.endsWith('/prometheus-rule.yaml')
    ? `# Made by \`npm run kubernetes\`; change k8s/${alertsFile} instead.\n`
    : '# Made by `npm run kubernetes`; change the table k8s/environments.json or deploy/overlay.mjs instead.\n';

const table = JSON.parse(readFileSync(join(k8s, 'environments.json'), 'utf8'));
// YAML 1.1, as Kubernetes reads it: 0440 is octal.
const read = (path) => parse(readFileSync(join(k8s, path), 'utf8'), { version: '1.1' });
const { groups: alerts } = read(alertsFile);
const common = read('components/process/deployment.yaml');
const base = Object.fromEntries(storeUsers.map((service) => [service, baseSettings(service)]));
const files = new Map([
  ['indexes/jobs.yaml', storeUsers.map((service) => indexJob(read(`services/${service}/deployment.yaml`), common))],
  ...table.deployments.flatMap((deployment) => {
    const folder = `overlays/${deployment.environment}-${deployment.region}`;
    const environment = table.environments[deployment.environment];
    const { registry, externalSecrets } = table;
    const settings = [environment.settings, deployment.settings];
    const whole = { ...deployment, ...environment, registry, externalSecrets, settings, base };
    const made = Object.entries(overlayFiles(whole, alerts));
    return made.map(([name, documents]) => [`${folder}/${name}`, documents]);
  }),
]);

const style = { ...(await prettier.resolveConfig(k8s)), parser: 'yaml' };
const texts = new Map();
for (const [path, documents] of files)
  texts.set(path, await prettier.format(header(path) + documents.map(toYaml).join('---\n'), style));
const overlays = join(k8s, 'overlays');
const present = existsSync(overlays)
  ? readdirSync(overlays, { recursive: true }).map((path) => `overlays/${path}`)
  : [];
const orphans = present.filter((path) => statSync(join(k8s, path)).isFile() && !texts.has(path));

if (process.argv.includes('--check')) {
  const differs = (path) => !existsSync(join(k8s, path)) || readFileSync(join(k8s, path), 'utf8') !== texts.get(path);
  const wrong = [...[...texts.keys()].filter(differs), ...orphans];
  for (const path of wrong) process.stderr.write(`k8s/${path} is out of date; run npm run kubernetes\n`);
  process.exit(wrong.length === 0 ? 0 : 1);
}
for (const path of orphans) rmSync(join(k8s, path));
for (const [path, text] of texts) {
  mkdirSync(dirname(join(k8s, path)), { recursive: true });
  writeFileSync(join(k8s, path), text);
}
process.stdout.write(`Wrote ${texts.size} files.\n`);

/** The settings of a service that are the same in every deployment. */
function baseSettings(service) {
  const [{ literals }] = read(`services/${service}/kustomization.yaml`).configMapGenerator;
  return Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s, 2)));
}

function toYaml(document) {
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
