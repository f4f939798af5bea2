import type { Scope } from '@itsm/shared/contracts/scopes';
import { scopeSchema } from '@itsm/shared/contracts/scopes';

export const verbs = ['Read', 'Create', 'Update', 'Delete'] as const;

/** What a person can choose from when making a personal access token, with its name on the page. */
export const models: readonly { readonly model: string; readonly label: string }[] = [
  { model: '*', label: 'Everything' },
  { model: 'request', label: 'Requests' },
  { model: 'problem', label: 'Problems' },
  { model: 'task', label: 'Tasks' },
  { model: 'workflow', label: 'Workflows' },
  { model: 'project', label: 'Projects' },
  { model: 'project-task', label: 'Project tasks' },
  { model: 'sla', label: 'Service level agreements' },
  { model: 'note', label: 'Notes' },
  { model: 'audit-line', label: 'Audit lines' },
  { model: 'team', label: 'Teams' },
  { model: 'person', label: 'People' },
  { model: 'account', label: 'Accounts' },
  { model: 'security-log', label: 'Security log' },
  { model: 'webhook', label: 'Webhooks' },
  { model: 'webhook-policy', label: 'Webhook policies' },
  { model: 'webhook-delivery', label: 'Webhook deliveries' },
  { model: 'ui-extension', label: 'UI extensions' },
  { model: 'oauth-application', label: 'OAuth applications' },
  { model: 'sso-configuration', label: 'SSO configurations' },
  { model: 'import', label: 'Imports' },
];

const offered = new Set(['me:Name', ...models.flatMap(({ model }) => verbs.map((verb) => `${model}:${verb}`))]);

export const isOffered = (action: string): boolean => offered.has(action);

/** The chosen actions as one scope; undefined when nothing, or something that was not offered, is chosen. */
export function toScopes(chosen: readonly string[]): Scope[] | undefined {
  if (chosen.length === 0 || !chosen.every(isOffered)) return undefined;
  return [scopeSchema.parse({ effect: 'allow', actions: [...new Set(chosen)] })];
}
