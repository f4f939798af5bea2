import { ofKind, selects } from '../../../deploy/rendered';
import type { DeploymentSpec, Manifest, Selector } from '../../../deploy/rendered';
import type { Names } from './names';
import type { Host } from './network';
import { containerOf } from './pod';

interface ServiceSpec {
  readonly selector: Selector['matchLabels'];
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
}
export function hostOf(hosts: ReadonlyMap<string, Host>, name: string): Host {
  const host = hosts.get(name);
  if (!host) throw new Error(`There is no pod of ${name}`);
  return host;
}

/** The deployment behind a service, and the target port of one of its ports. */
function behind(manifests: readonly Manifest[], service: Manifest<ServiceSpec>) {
  const found = ofKind<DeploymentSpec>(manifests, 'Deployment').find(({ spec }) =>
    selects({ matchLabels: service.spec.selector ?? {} }, spec.template.metadata.labels),
  );
  if (!found) throw new Error(`The service ${service.metadata.name} selects nothing`);
  const ports = service.spec.ports.map(({ name, port, targetPort }) => {
    const number = containerOf(found).ports.find((one) => one.name === targetPort)?.containerPort;
    if (number === undefined) throw new Error(`The service ${service.metadata.name} leads to no port ${targetPort}`);
    return { name, port, number };
  });
  return { deployment: found.metadata.name, ports };
}

/** The cluster's DNS. Each service has one replica, whose address is used for the service. */
export const serviceNames = (manifests: readonly Manifest[], hosts: ReadonlyMap<string, Host>): Names =>
  Object.fromEntries(
    ofKind<ServiceSpec>(manifests, 'Service').map((service) => {
      const { deployment, ports } = behind(manifests, service);
      const moved = ports.find(({ port, number }) => port !== number);
      if (moved)
        throw new Error(`${service.metadata.name} serves ${moved.number} as ${moved.port}, which is not done here`);
      const { name, namespace } = service.metadata;
      return [`${name}.${namespace}.svc.cluster.local`, hostOf(hosts, deployment).address];
    }),
  );

export const ingressNames = (manifests: readonly Manifest[], address: string): Names =>
  Object.fromEntries(
    ofKind<{ readonly rules: readonly { readonly host: string }[] }>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.map(({ host }) => [host, address]),
    ),
  );

export function upstreamOf(
  manifests: readonly Manifest[],
  hosts: ReadonlyMap<string, Host>,
  name: string,
  port: string,
): string {
  const service = ofKind<ServiceSpec>(manifests, 'Service').find(({ metadata }) => metadata.name === name);
  if (!service) throw new Error(`The ingress leads to ${name}, which is no service`);
  const { deployment, ports } = behind(manifests, service);
  return `${hostOf(hosts, deployment).address}:${ports.find((one) => one.name === port)?.number}`;
}
