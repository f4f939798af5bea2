import { modelOf, recordKinds } from '@itsm/shared/contracts/record-kinds';

/** A scope in the form of the API. */
export interface Scope {
  readonly effect: 'allow' | 'deny';
  readonly actions: readonly string[];
  readonly account?: string | null;
}

/** Scopes as form values: ticked actions, and one line of text for each rule that checkboxes cannot express. */
export interface ScopeForm {
  readonly actions: readonly string[];
  /** `deny request:Delete task:Delete in wdc` */
  readonly rules: string;
}

export const verbs = ['Read', 'Create', 'Update', 'Delete'] as const;
/** The action to read the person's own name, which has no other verbs. */
export const aboutMe = 'me:Name';

/** The models that a scope can be chosen for, in groups, as on the page of personal access tokens. */
export const modelGroups: readonly {
  readonly title: string;
  readonly models: readonly { readonly model: string; readonly label: string }[];
}[] = [
  {
    title: 'Records',
    models: [
      ...Object.entries(recordKinds).map(([name, { label }]) => ({ model: modelOf(name), label })),
      { model: 'note', label: 'Notes' },
      { model: 'audit-line', label: 'Audit lines' },
      { model: 'notice', label: 'Notices' },
      { model: 'saved-list', label: 'Saved lists' },
      { model: 'text-template', label: 'Text templates' },
    ],
  },
  {
    title: 'Integrations',
    models: [
      { model: 'webhook', label: 'Webhooks' },
      { model: 'webhook-policy', label: 'Webhook policies' },
      { model: 'webhook-delivery', label: 'Webhook deliveries' },
      { model: 'import', label: 'Imports' },
      { model: 'export', label: 'Exports' },
      { model: 'ui-extension', label: 'UI extensions' },
    ],
  },
  {
    title: 'Administration',
    models: [
      { model: 'account', label: 'Accounts' },
      { model: 'security-log', label: 'Security log' },
      { model: 'oauth-application', label: 'OAuth applications' },
      { model: 'sso-configuration', label: 'SSO configurations' },
      { model: '*', label: 'Everything' },
    ],
  },
];

const labels = new Map(modelGroups.flatMap(({ models }) => models.map(({ model, label }) => [model, label])));
const offered = new Set([aboutMe, ...[...labels.keys()].flatMap((model) => verbs.map((verb) => `${model}:${verb}`))]);

/** Common sets of checkboxes. */
export const scopePresets: readonly { readonly label: string; readonly actions: readonly string[] }[] = [
  {
    label: 'Read requests',
    actions: [aboutMe, 'request:Read', 'note:Read', 'person:Read', 'team:Read'],
  },
  {
    label: 'Work on requests',
    actions: [
      aboutMe,
      'request:Read',
      'request:Create',
      'request:Update',
      'note:Read',
      'note:Create',
      'person:Read',
      'team:Read',
    ],
  },
  {
    label: 'Manage webhooks',
    actions: [
      aboutMe,
      ...verbs.map((verb) => `webhook:${verb}`),
      'webhook-policy:Read',
      'webhook-delivery:Read',
      'webhook-delivery:Create',
    ],
  },
  { label: 'Read everything', actions: [aboutMe, '*:Read'] },
];

/** The checkboxes for an action; none when they cannot express it. `request:*` is all four of requests. */
function boxesOf(action: string): readonly string[] {
  if (offered.has(action)) return [action];
  const [model = '', verb = ''] = action.split(':');
  if (verb !== '*' && verb !== 'All') return [];
  if (model === 'me') return [aboutMe];
  return labels.has(model) ? verbs.map((each) => `${model}:${each}`) : [];
}

/** Lossless: actions without a checkbox become a line of text. */
export function toScopeForm(scopes: readonly Scope[]): ScopeForm {
  const isTicked = ({ effect, account }: Scope, action: string): boolean =>
    effect === 'allow' && (account ?? null) === null && boxesOf(action).length > 0;
  const actions = scopes.flatMap((scope) =>
    scope.actions.filter((action) => isTicked(scope, action)).flatMap((action) => boxesOf(action)),
  );
  const lines = scopes.flatMap((scope) => {
    const others = scope.actions.filter((action) => !isTicked(scope, action));
    return others.length === 0 ? [] : [lineOf({ ...scope, actions: others })];
  });
  return { actions: [...new Set(actions)], rules: lines.join('\n') };
}

const lineOf = ({ effect, actions, account }: Scope): string =>
  [effect, ...actions, ...((account ?? null) === null ? [] : ['in', account])].join(' ');

const isAction = (word: string): boolean =>
  /^(\*|[a-z]+(-[a-z]+)*):(\*|Create|Read|Update|Delete|All|Name)$/.test(word);

/** Parses the form's scopes; returns the line that cannot be parsed, if any. */
export function fromScopeForm({
  actions,
  rules,
}: ScopeForm): { readonly scopes: Scope[] } | { readonly refusedLine: string } {
  const scopes: Scope[] = actions.length === 0 ? [] : [{ effect: 'allow', actions: [...actions] }];
  for (const line of rules.split('\n').filter((text) => text.trim() !== '')) {
    const scope = parseLine(line.trim());
    if (!scope) return { refusedLine: line };
    scopes.push(scope);
  }
  return { scopes };
}

function parseLine(line: string): Scope | undefined {
  const [effect, ...words] = line.split(/\s+/);
  const isLimited = words.at(-2) === 'in';
  const actions = isLimited ? words.slice(0, -2) : words;
  if ((effect !== 'allow' && effect !== 'deny') || actions.length === 0 || !actions.every(isAction)) return undefined;
  return { effect, actions, ...(isLimited && { account: words.at(-1)! }) };
}

const verbWords: Readonly<Record<string, string>> = {
  Read: 'see',
  Create: 'create',
  Update: 'change',
  Delete: 'delete',
  Name: 'see',
};
const list = new Intl.ListFormat('en');

/** Describes what scopes allow or deny, in sentences: "See, create and change requests". */
export function scopeSentences(scopes: readonly Scope[], effect: Scope['effect']): string[] {
  return scopes
    .filter((scope) => scope.effect === effect)
    .flatMap(({ actions, account }) => {
      const verbsOf = new Map<string, Set<string>>();
      for (const action of actions) {
        const [model = '', verb = ''] = action.split(':');
        const words = verbWords[verb] ?? 'see, create, change and delete';
        verbsOf.set(model, (verbsOf.get(model) ?? new Set()).add(words));
      }
      const modelsOf = new Map<string, string[]>();
      const aboutPerson = verbsOf.delete('me') ? ['See who the person is'] : [];
      for (const [model, words] of verbsOf) {
        const doing = [...words].find((word) => word.includes(',')) ?? list.format(words);
        modelsOf.set(doing, [...(modelsOf.get(doing) ?? []), nameOf(model)]);
      }
      const where = (account ?? null) === null ? '' : `, only in ${account}`;
      return [
        ...[...modelsOf].map(([doing, models]) => `${capital(doing)} ${list.format(models)}`),
        ...aboutPerson,
      ].map((sentence) => `${sentence}${where}`);
    });
}

function nameOf(model: string): string {
  const label = labels.get(model) ?? model.replaceAll('-', ' ');
  return /^[A-Z]{2}|^OAuth/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
