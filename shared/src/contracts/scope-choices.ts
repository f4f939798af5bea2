import { modelOf, recordKinds } from './record-kinds';
import type { RecordKinds } from './record-kinds';
import type { Scope } from './scopes';
import { scopeSchema } from './scopes';

export const verbs = ['Read', 'Create', 'Update', 'Delete'] as const;

/** A group of actions, with its label on pages: `{ model: 'project-task', label: 'Project tasks' }`. */
export interface ScopeChoice {
  readonly model: string;
  readonly label: string;
}

/** The groups that a scope can be chosen for: everything, each kind of record, and the platform's other resources. */
export const scopeChoices = (kinds: RecordKinds = recordKinds): readonly ScopeChoice[] => [
  { model: '*', label: 'Everything' },
  ...Object.entries(kinds).map(([name, { label }]) => ({ model: modelOf(name), label })),
  { model: 'note', label: 'Notes' },
  { model: 'audit-line', label: 'Audit lines' },
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

/** The choices for personal access tokens and applications. */
export const models = scopeChoices();

const offered = new Set(['me:Name', ...models.flatMap(({ model }) => verbs.map((verb) => `${model}:${verb}`))]);

export const isOffered = (action: string): boolean => offered.has(action);

/** The chosen actions as one scope; undefined when nothing, or something that was not offered, is chosen. */
export function toScopes(chosen: readonly string[]): Scope[] | undefined {
  if (chosen.length === 0 || !chosen.every(isOffered)) return undefined;
  return [scopeSchema.parse({ effect: 'allow', actions: [...new Set(chosen)] })];
}
