import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { ServiceName } from '../transport/upstreams';

/** Where a path goes. `access` public needs no bearer; `rewrite` is put before the path. */
export interface Route {
  /** A prefix of whole segments; `:account` stands for any one segment. */
  readonly path: string;
  readonly service: ServiceName;
  readonly access: 'public' | 'caller';
  readonly rewrite?: string;
  /** Bytes; 1 MB when nothing is said. */
  readonly bodyLimit?: number;
  /** Bodies are streamed, over connections of their own: they may take minutes. */
  readonly isUpload?: boolean;
}

const megabyte = 1024 * 1024;
export const usualBodyLimit = megabyte;
/** Four texts of 64 KB, of which JSON may write every byte as six. */
const extensionLimit = 2 * megabyte;

/** Everything that is reachable behind the gateway; what is not here does not exist for a client. */
export const routesOf = (kinds: RecordKinds = recordKinds): readonly Route[] => [
  // auth has a far smaller limit, and its own form of saying so (RFC 6749 §5.2, pages).
  { path: '/oauth', service: 'auth', access: 'public', bodyLimit: 16 * megabyte },
  { path: '/.well-known/oauth-authorization-server', service: 'auth', access: 'public' },
  ...['webhooks/:webhook/verify', 'webhooks/:webhook/page', 'webhooks/:webhook/resend', 'webhook_policies'].map(
    (path): Route => ({ path: `/accounts/:account/${path}`, service: 'webhooks', access: 'public' }),
  ),
  { path: '/v1/webhooks/:webhook/deliveries', service: 'webhook-delivery', access: 'caller' },
  { path: '/v1/webhooks', service: 'webhooks', access: 'caller' },
  { path: '/v1/webhook_policies', service: 'webhooks', access: 'caller' },
  { path: '/v1/webhook_deliveries', service: 'webhook-delivery', access: 'caller' },
  { path: '/v1/ui_extensions', service: 'ui-extensions', access: 'caller', bodyLimit: extensionLimit },
  { path: '/ui_extensions', service: 'ui-extensions', access: 'caller', rewrite: '/v1', bodyLimit: extensionLimit },
  { path: '/ui_extension_previews', service: 'ui-extensions', access: 'public' },
  { path: '/v1/import', service: 'graph', access: 'caller', bodyLimit: 512 * megabyte, isUpload: true },
  { path: '/v1/notes', service: 'graph', access: 'caller' },
  ...Object.values(kinds).map(({ plural, service }): Route => ({ path: `/v1/${plural}`, service, access: 'caller' })),
];

export const routeTable = routesOf();

const prepared = routeTable.map((route) => ({ route, segments: route.path.split('/') }));

/** The route of a request target such as `/v1/webhooks/1?fields=id`. */
export function findRoute(target: string): Route | undefined {
  const given = (target.split('?', 1)[0] ?? '').split('/');
  return prepared.find(({ segments }) =>
    segments.every((segment, index) => {
      const part = given[index];
      return segment.startsWith(':') ? part !== undefined && part !== '' : segment === part;
    }),
  )?.route;
}
