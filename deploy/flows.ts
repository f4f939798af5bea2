import { BlockList, isIPv4 } from 'node:net';
import { ofKind, selects } from './rendered';
import type { DeploymentSpec, Manifest, Selector } from './rendered';

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number | string }[];
}
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** One end of a flow: a pod in a namespace, or an address outside the cluster. */
export type End =
  { readonly namespace: string; readonly labels: Readonly<Record<string, string>> } | { readonly address: string };

export interface Flow {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
}

/**
 * Whether the network policies in `manifests` permit a flow. Both ends must permit it; an end without policies permits
 * every flow.
 */
export function isAllowed(manifests: readonly Manifest[], flow: Flow): boolean {
  return isAllowedBy(manifests, flow, 'Egress') && isAllowedBy(manifests, flow, 'Ingress');
}

/** Whether one end permits a flow, regardless of the other end: its source (`Egress`) or its target (`Ingress`). */
export function isAllowedBy(manifests: readonly Manifest[], flow: Flow, side: 'Ingress' | 'Egress'): boolean {
  const [own, other] = side === 'Egress' ? [flow.from, flow.to] : [flow.to, flow.from];
  if ('address' in own) return true;
  const policies = ofKind<Policy>(manifests, 'NetworkPolicy').filter(
    ({ metadata, spec }) =>
      metadata.namespace === own.namespace && spec.policyTypes.includes(side) && selects(spec.podSelector, own.labels),
  );
  if (policies.length === 0) return true;
  return policies.some(({ metadata: { namespace = '' }, spec }) =>
    (side === 'Egress' ? spec.egress : spec.ingress)?.some((rule) => {
      const peers = side === 'Egress' ? rule.to : rule.from;
      const isPeer = peers === undefined || peers.some((peer) => matches(peer, other, namespace));
      return isPeer && hasPort(manifests, rule, flow);
    }),
  );
}

function matches({ podSelector, namespaceSelector, ipBlock }: Peer, end: End, ownNamespace: string): boolean {
  if ('address' in end) return ipBlock !== undefined && isWithin(end.address, ipBlock);
  if (ipBlock) return false;
  const isNamespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': end.namespace })
    : end.namespace === ownNamespace;
  return isNamespace && (podSelector === undefined || selects(podSelector, end.labels));
}

function hasPort(manifests: readonly Manifest[], { ports }: Rule, { to, port, protocol = 'TCP' }: Flow): boolean {
  if (ports === undefined) return true;
  return ports.some(
    (one) => one.protocol === protocol && (one.port === port || named(manifests, to, one.port) === port),
  );
}

/** Resolves the named port of the pod at `end` to its number. */
function named(manifests: readonly Manifest[], end: End, name: number | string): number | undefined {
  if ('address' in end || typeof name === 'number') return undefined;
  const deployment = ofKind<DeploymentSpec>(manifests, 'Deployment').find(
    ({ metadata, spec }) => metadata.namespace === end.namespace && selects(spec.selector, end.labels),
  );
  return deployment?.spec.template.spec.containers[0]?.ports.find((port) => port.name === name)?.containerPort;
}

function isWithin(
  address: string,
  { cidr, except = [] }: { readonly cidr: string; readonly except?: readonly string[] },
) {
  const holds = (range: string): boolean => {
    const [network = '', bits] = range.split('/');
    if (isIPv4(network) !== isIPv4(address)) return false;
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    const list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    return list.check(address, family);
  };
  return holds(cidr) && !except.some(holds);
}
