/**
 * The job that creates the indexes of a service. It runs the process of the service with the same settings and secrets.
 * Its label differs, so that no selector of the service matches its pod.
 */
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
      // The store has 20 s to respond. A longer index build continues there, and the next retry waits for it.
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
