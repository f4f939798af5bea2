import { modelOf, recordKinds } from './record-kinds';
import type { RecordKinds } from './record-kinds';
import type { Scope } from './scopes';
import { actionSchema, scopeSchema } from './scopes';

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
  { model: 'notice', label: 'Notices' },
  { model: 'saved-list', label: 'Saved lists' },
  { model: 'text-template', label: 'Text templates' },
  { model: 'account', label: 'Accounts' },
  { model: 'security-log', label: 'Security log' },
  { model: 'webhook', label: 'Webhooks' },
  { model: 'webhook-policy', label: 'Webhook policies' },
  { model: 'webhook-delivery', label: 'Webhook deliveries' },
  { model: 'ui-extension', label: 'UI extensions' },
  { model: 'oauth-application', label: 'OAuth applications' },
  { model: 'sso-configuration', label: 'SSO configurations' },
  { model: 'import', label: 'Imports' },
  { model: 'export', label: 'Exports' },
];

/** The choices for personal access tokens and applications. */
export const models = scopeChoices();

/** The actions that can be chosen; wildcards of verbs are actions too, but are not offered. */
export const offeredActions: readonly string[] = [
  'me:Name',
  ...models.flatMap(({ model }) => verbs.map((verb) => `${model}:${verb}`)),
];

const offered = new Set(offeredActions);

export const isOffered = (action: string): boolean => offered.has(action);

const known = new Set(['me', ...models.map(({ model }) => model)]);

/** Whether the text is an action of a model that exists; `Name` is one of `me` only. */
export function isAction(text: string): boolean {
  const [model = '', verb] = text.split(':');
  return actionSchema.safeParse(text).success && known.has(model) && (verb !== 'Name' || model === 'me');
}

/** The chosen actions as one scope; undefined when nothing, or something that was not offered, is chosen. */
export function toScopes(chosen: readonly string[]): Scope[] | undefined {
  if (chosen.length === 0 || !chosen.every(isOffered)) return undefined;
  return [scopeSchema.parse({ effect: 'allow', actions: [...new Set(chosen)] })];
}
