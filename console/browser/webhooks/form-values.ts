import type { VariablesOf } from '../api/graphql';
import type { Known, webhookCreate, webhookUpdate } from './documents';

/** What is typed; '' stands for nothing. Named as the platform names them, so that its faults find their fields. */
export interface Values {
  readonly event: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly webhookPolicyId: string;
  readonly openidConnectDiscovery: boolean;
  readonly mailExceptionsTo: string;
  readonly source: string;
  readonly sourceID: string;
}

export function valuesOf(
  webhook: Known['webhook'] | undefined,
  given: { readonly event?: string | undefined; readonly uri?: string | undefined } = {},
): Values {
  return {
    event: webhook?.event ?? given.event ?? '',
    uri: webhook?.uri ?? given.uri ?? '',
    name: webhook?.name ?? '',
    description: webhook?.description ?? '',
    webhookPolicyId: webhook?.webhookPolicy?.id ?? '',
    openidConnectDiscovery: webhook?.openidConnectDiscovery ?? false,
    mailExceptionsTo: webhook?.mailExceptionsTo ?? '',
    source: webhook?.source ?? '',
    sourceID: webhook?.sourceID ?? '',
  };
}

/** What a new webhook is made of; what was left empty has its default. */
export function inputOf(values: Values): VariablesOf<typeof webhookCreate>['input'] {
  const filled = Object.entries(values).filter(([, value]) => value !== '' && value !== false);
  return { event: values.event, uri: values.uri, ...Object.fromEntries(filled) };
}

type Changes = Omit<VariablesOf<typeof webhookUpdate>['input'], 'id'>;

/** What differs from before; what was emptied is null. */
export function changesOf(values: Values, before: Values): Changes {
  const changed = Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]);
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
}

/** What is wrong with an address, as far as the browser can check; the platform validates it again. */
export function addressFault(uri: string): string | undefined {
  if (uri === '') return undefined;
  if (!URL.canParse(uri)) return 'This is no whole address yet; one begins with https://.';
  const { protocol, port, hash, hostname } = new URL(uri);
  // An installation on this machine may call receivers beside it.
  if (hostname === 'localhost' || hostname === '127.0.0.1') return undefined;
  if (protocol !== 'https:') return 'Only https is called.';
  if (hash !== '') return 'What follows # never reaches a receiver: leave it out.';
  if (!['', '80', '8443'].includes(port)) return 'Only the ports 443, 80 and 8443 are called.';
  return undefined;
}
