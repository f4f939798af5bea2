import { Job } from 'kubernetes-models/batch/v1';
import { deployables, readersOf } from './deployables';
import { ofKind, overlayNames, render, selects } from './rendered';
import type { DeploymentSpec, JobSpec, Manifest, Selector } from './rendered';

/** Two overlays: one of production with its zones, and one of another size. */
let deployed: [string, { overlay: Manifest[]; jobs: Manifest[] }][];
beforeAll(async () => {
  const names = overlayNames.filter((name) => ['production-uk', 'demo-global'].includes(name));
  deployed = await Promise.all(
    names.map(async (name) => {
      const [overlay, jobs] = [await render(`overlays/${name}`), await render(`overlays/${name}/indexes`)];
      return [name, { overlay, jobs }] as (typeof deployed)[number];
    }),
  );
});

const podOf = ({ spec }: Manifest<DeploymentSpec> | Manifest<JobSpec>) => spec.template.spec;

test('each service with a store has a job that creates its indexes and ends', () => {
  expect(deployed).toHaveLength(2);
  for (const [name, { jobs }] of deployed) {
    const found = ofKind<JobSpec>(jobs, 'Job');
    expect(found.map(({ metadata }) => metadata.name).sort()).toEqual(
      readersOf('MONGODB_URL')
        .map((service) => `${service}-indexes`)
        .sort(),
    );
    for (const job of found) {
      expect(() => new Job(structuredClone(job) as never).validate()).not.toThrow();
      expect([job.metadata.namespace, podOf(job)['restartPolicy']]).toEqual([`itsm-${name}`, 'Never']);
      expect(podOf(job).containers).toMatchObject([{ args: ['dist/main.js', 'indexes'] }]);
      expect(job.spec).toMatchObject({ backoffLimit: 10, ttlSecondsAfterFinished: 86_400 });
    }
  }
});

test('a job has the image, settings, secrets, resources and privileges of its service', () => {
  const same = (pod: DeploymentSpec['template']['spec']) => {
    const { automountServiceAccountToken, enableServiceLinks, securityContext, serviceAccountName, volumes } = pod;
    const { image, env, envFrom, resources, volumeMounts, securityContext: rights } = pod.containers[0] ?? {};
    return {
      automountServiceAccountToken,
      enableServiceLinks,
      securityContext,
      serviceAccountName,
      volumes: [...volumes].sort((a, b) => a.name.localeCompare(b.name)),
      image,
      env,
      envFrom,
      resources,
      volumeMounts,
      rights,
    };
  };
  for (const [, { overlay, jobs }] of deployed)
    for (const job of ofKind<JobSpec>(jobs, 'Job')) {
      const deployment = ofKind<DeploymentSpec>(overlay, 'Deployment').find(
        ({ metadata }) => `${metadata.name}-indexes` === job.metadata.name,
      );
      expect(deployment && same(podOf(deployment))).toEqual(same(podOf(job)));
    }
});

test('the jobs come with the settings of the release, and nothing else', () => {
  for (const [, { overlay, jobs }] of deployed) {
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(['Job', 'ConfigMap']));
    for (const map of ofKind(jobs, 'ConfigMap')) expect(overlay).toContainEqual(map);
    expect(ofKind(overlay, 'Job')).toEqual([]);
  }
});

test('no service, budget or deployment selects the pod of a job', () => {
  for (const [, { overlay, jobs }] of deployed) {
    const selectors = [
      ...ofKind<{ selector: Record<string, string> }>(overlay, 'Service').map(({ spec }): Selector => ({
        matchLabels: spec.selector,
      })),
      ...ofKind<{ selector: Selector }>(overlay, 'PodDisruptionBudget').map(({ spec }) => spec.selector),
      ...ofKind<DeploymentSpec>(overlay, 'Deployment').map(({ spec }) => spec.selector),
    ];
    expect(selectors).toHaveLength(deployables.length * 4);
    for (const { spec } of ofKind<JobSpec>(jobs, 'Job'))
      expect(selectors.filter((selector) => selects(selector, spec.template.metadata.labels))).toEqual([]);
  }
});
