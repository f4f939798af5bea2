import { modelOf, recordKinds } from './record-kinds';
import type { RecordKinds } from './record-kinds';
import type { Scope } from './scopes';
import { scopeSchema } from './scopes';

export const verbs = ['Read', 'Create', 'Update', 'Delete'] as const;

/** A model of actions, with its name on pages: `{ model: 'project-task', label: 'Project tasks' }`. */
export interface ScopeChoice {
  readonly model: string;
  readonly label: string;
}

/** What a scope can be chosen for: everything, each kind of record, and what else the platform keeps. */
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

/** What a person can choose from when making a personal access token or an application. */
export const models = scopeChoices();

const offered = new Set(['me:Name', ...models.flatMap(({ model }) => verbs.map((verb) => `${model}:${verb}`))]);

export const isOffered = (action: string): boolean => offered.has(action);

/** The chosen actions as one scope; undefined when nothing, or something that was not offered, is chosen. */
export function toScopes(chosen: readonly string[]): Scope[] | undefined {
  if (chosen.length === 0 || !chosen.every(isOffered)) return undefined;
  return [scopeSchema.parse({ effect: 'allow', actions: [...new Set(chosen)] })];
}
