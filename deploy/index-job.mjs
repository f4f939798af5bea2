/** The job that makes the indexes of a service: its process, with its settings and secrets, under a label of its own. */
export function indexJob(deployment, common) {
  const service = deployment.spec.template.spec;
  const { automountServiceAccountToken, enableServiceLinks, securityContext, ...every } = common.spec.template.spec;
  const [{ name, image, envFrom, env, resources }] = service.containers;
  const [{ imagePullPolicy, securityContext: containerSecurity, volumeMounts }] = every.containers;
  const metadata = {
    name: `${deployment.metadata.name}-indexes`,
    labels: {
      'app.kubernetes.io/name': `${deployment.metadata.name}-indexes`,
      'app.kubernetes.io/part-of': 'itsm',
      'app.kubernetes.io/component': 'indexes',
    },
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: {
      // The store is given 20 s for an answer. A build that takes longer goes on there, and the next try waits for it.
      backoffLimit: 10,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: metadata.labels },
        spec: {
          serviceAccountName: service.serviceAccountName,
          restartPolicy: 'Never',
          automountServiceAccountToken,
          enableServiceLinks,
          securityContext,
          containers: [
            {
              name,
              image: `registry.example/${image}`,
              imagePullPolicy,
              args: ['dist/main.js', 'indexes'],
              envFrom,
              env,
              resources,
              securityContext: containerSecurity,
              volumeMounts,
            },
          ],
          volumes: [...service.volumes, ...every.volumes],
        },
      },
    },
  };
}
