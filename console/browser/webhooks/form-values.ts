import type { VariablesOf } from '../api/graphql';
import type { Known, webhookCreate, webhookUpdate } from './documents';

/** The form's values; '' means empty. They have the platform's names, so that its errors match their fields. */
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

/** The input for a new webhook; empty fields get their defaults. */
export function inputOf(values: Values): VariablesOf<typeof webhookCreate>['input'] {
  const filled = Object.entries(values).filter(([, value]) => value !== '' && value !== false);
  return { event: values.event, uri: values.uri, ...Object.fromEntries(filled) };
}

type Changes = Omit<VariablesOf<typeof webhookUpdate>['input'], 'id'>;

/** The changed fields; cleared ones are null. */
export function changesOf(values: Values, before: Values): Changes {
  const changed = Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]);
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
}

/** The errors in an address that the browser can check; the platform validates it again. */
export function addressFault(uri: string): string | undefined {
  if (uri === '') return undefined;
  if (!URL.canParse(uri)) return 'Enter a full address, beginning with https://.';
  const { protocol, port, hash, hostname } = new URL(uri);
  // A local installation may call receivers on the same machine.
  if (hostname === 'localhost' || hostname === '127.0.0.1') return undefined;
  if (protocol !== 'https:') return 'The address must use https.';
  if (hash !== '') return 'Remove the part from # on: it never reaches a receiver.';
  if (!['', '80', '8443'].includes(port)) return 'Only ports 443, 80 and 8443 are allowed.';
  return undefined;
}
