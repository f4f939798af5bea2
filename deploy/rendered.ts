import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

export const k8s = join(__dirname, '../k8s');
const kustomize = require.resolve('kustomize/run.js');
const { version: kustomizeVersion } = JSON.parse(readFileSync(require.resolve('kustomize/package.json'), 'utf8')) as {
  readonly version: string;
};
const cache = join(__dirname, '../node_modules/.cache/rendered');

type Labels = Readonly<Record<string, string>>;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Requirement[];
}

/** What all objects of the cluster have in common. The form of `spec` depends on the kind. */
export interface Manifest<Spec = Readonly<Record<string, unknown>>> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly spec: Spec;
  readonly data?: Readonly<Record<string, string>>;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly resources: { readonly limits: { readonly memory: string }; readonly requests: Labels };
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number };
  readonly emptyDir?: { readonly medium: string; readonly sizeLimit: string };
  readonly [source: string]: unknown;
}

export interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector: Selector;
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number; readonly maxSurge: number } };
  readonly template: {
    readonly metadata: { readonly labels: Labels };
    readonly spec: {
      readonly containers: readonly Container[];
      readonly initContainers?: readonly Container[];
      readonly volumes: readonly Volume[];
      readonly securityContext: Readonly<Record<string, unknown>>;
      readonly serviceAccountName: string;
      readonly automountServiceAccountToken: boolean;
      readonly terminationGracePeriodSeconds: number;
      readonly topologySpreadConstraints: readonly {
        readonly topologyKey: string;
        readonly whenUnsatisfiable: string;
      }[];
      readonly [field: string]: unknown;
    };
  };
}

/** A job. Its pod has the form of a deployment's pod, without the parts that only a server needs. */
export interface JobSpec {
  readonly template: DeploymentSpec['template'];
  readonly [field: string]: unknown;
}

/** The output of kustomize for a folder below `base`, by default k8s/ of this checkout. */
export async function render(folder: string, base = k8s): Promise<Manifest[]> {
  const text = await (base === k8s ? buildOnce(folder) : build(join(base, folder)));
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

async function build(path: string): Promise<string> {
  const options = { maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [kustomize, 'build', path], options);
  return stdout;
}

/** Caches by the digest of the files: kustomize takes a second for each folder, and several suites read all of them. */
async function buildOnce(folder: string): Promise<string> {
  const kept = join(cache, `${filesDigest}-${folder.replaceAll('/', '-')}.yaml`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const text = await build(join(k8s, folder));
  mkdirSync(cache, { recursive: true });
  // Renamed atomically, since another suite may read it.
  writeFileSync(`${kept}.${process.pid}`, text);
  renameSync(`${kept}.${process.pid}`, kept);
  return text;
}

/** Covers all files below k8s/, since its folders refer to no others, and the version of kustomize. */
const filesDigest = digestOf(k8s);

function digestOf(base: string): string {
  const hash = createHash('sha256').update(kustomizeVersion);
  const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash
      .update(`${relative(base, file)}\n`)
      .update(readFileSync(file))
      .update('\n');
  return hash.digest('base64url').slice(0, 22);
}

export const overlayNames = readdirSync(join(k8s, 'overlays'));

/** The objects of every overlay, by its name. Two overlays are built at a time. */
export async function renderOverlays(): Promise<Map<string, Manifest[]>> {
  const rendered = new Map<string, Manifest[]>();
  const waiting = [...overlayNames];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      rendered.set(name, await render(`overlays/${name}`));
  };
  await Promise.all([work(), work()]);
  return new Map(overlayNames.map((name) => [name, rendered.get(name) ?? []]));
}

/** The objects of a kind. The caller gives the type of their `spec`. */
export const ofKind = <Spec = Readonly<Record<string, unknown>>>(
  manifests: readonly Manifest[],
  kind: string,
): Manifest<Spec>[] => manifests.filter((one) => one.kind === kind) as unknown as Manifest<Spec>[];

/** Whether a label selector matches `labels`. An empty selector matches everything. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`the operator ${operator} is not supported`);
      return values.includes(labels[key] ?? '');
    })
  );
}
