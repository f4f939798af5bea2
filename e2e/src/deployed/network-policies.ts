import { execFileSync } from 'node:child_process';
import { isAllowedBy } from '../../../deploy/flows';
import type { End } from '../../../deploy/flows';
import type { Manifest } from '../../../deploy/rendered';
import { addresses } from './network';
import type { Host } from './network';

/** A source or target of connections: its labels and its address. */
export interface Place {
  readonly end: End;
  readonly address: string;
}

interface PolicySpec {
  readonly ingress?: readonly PortRule[];
  readonly egress?: readonly PortRule[];
}
interface PortRule {
  readonly ports?: readonly { readonly port: number | string }[];
}

/** A firewall around the pod at `host` that permits exactly what the network policies allow with any of `places`. */
export function enforcePolicies(
  manifests: readonly Manifest[],
  host: Host,
  own: End,
  places: readonly Place[],
  podPorts: readonly number[],
): void {
  const ports = portsIn(manifests, podPorts);
  const rules = (side: 'Ingress' | 'Egress'): string[] =>
    places.flatMap(({ end, address }) =>
      (['TCP', 'UDP'] as const).flatMap((protocol) => {
        const [from, to] = side === 'Egress' ? [own, end] : [end, own];
        const open = ports.filter((port) => isAllowedBy(manifests, { from, to, port, protocol }, side));
        const far = side === 'Egress' ? 'daddr' : 'saddr';
        return open.length === 0
          ? []
          : [`ip ${far} ${address} ${protocol.toLowerCase()} dport { ${open.join(', ')} } accept`];
      }),
    );
  const chain = (hook: 'input' | 'output', loopback: string, lines: readonly string[]) => `chain ${hook} {
    type filter hook ${hook} priority 0; policy drop;
    ${[loopback, 'ct state established,related accept', ...lines, 'meta l4proto tcp reject with tcp reset', 'reject'].join('\n    ')}
  }`;
  // Probes come from the node, which policies always admit.
  const probes = `ip saddr ${addresses.node} accept`;
  const table = `table inet policies {
  ${chain('input', 'iif lo accept', [probes, ...rules('Ingress')])}
  ${chain('output', 'oif lo accept', rules('Egress'))}
}\n`;
  const [program = '', ...args] = [...host.prefix, 'nft', '-f', '-'];
  execFileSync(program, args, { input: table, stdio: ['pipe', 'ignore', 'pipe'] });
}

/** All ports that a policy may refer to. */
function portsIn(manifests: readonly Manifest[], podPorts: readonly number[]): number[] {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as PolicySpec);
  const rules = policies.flatMap(({ ingress = [], egress = [] }) => [...ingress, ...egress]);
  const numbers = rules.flatMap(({ ports = [] }) => ports).map(({ port }) => port);
  return [...new Set([...numbers.filter((port) => typeof port === 'number'), ...podPorts])];
}
