import type { Scope } from '@itsm/shared/contracts/scopes';

const irregular: Readonly<Record<string, string>> = {
  me: 'your own name and details',
  person: 'people',
  sla: 'service level agreements',
  'ui-extension': 'UI extensions',
  'oauth-application': 'OAuth applications',
  'sso-configuration': 'SSO configurations',
  'ui-extension-version': 'UI extension versions',
  'security-log': 'the security log',
  '*': 'everything',
};
const verbs: Readonly<Record<string, string>> = {
  Read: 'See',
  Create: 'Create',
  Update: 'Change',
  Delete: 'Delete',
  Name: 'See',
};
const everyVerb = 'See, create, change and delete';

/** Scopes as sentences for people: what they allow, and what they rule out. */
export function describeScopes(scopes: readonly Scope[]): { allowed: string[]; denied: string[] } {
  const of = (effect: Scope['effect']) => scopes.filter((scope) => scope.effect === effect).flatMap(sentences);
  return { allowed: of('allow'), denied: of('deny') };
}

/** One sentence per set of verbs, with all its models. */
function sentences({ actions, account }: Scope): string[] {
  const verbsOf = new Map<string, Set<string>>();
  for (const action of actions) {
    const [model = '', verb = ''] = action.split(':');
    verbsOf.set(model, (verbsOf.get(model) ?? new Set()).add(verbs[verb] ?? (model === 'me' ? 'See' : everyVerb)));
  }
  const modelsOf = new Map<string, string[]>();
  for (const [model, words] of verbsOf) {
    const doing = words.has(everyVerb) ? everyVerb : list([...words]);
    modelsOf.set(doing, [...(modelsOf.get(doing) ?? []), nameOf(model)]);
  }
  const where = account === undefined ? '' : ` (only in ${account})`;
  return [...modelsOf].map(([doing, models]) => `${doing} ${list(models)}${where}`);
}

const nameOf = (model: string): string => irregular[model] ?? plural(model.replaceAll('-', ' '));

const plural = (noun: string): string => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);

function list(words: readonly string[]): string {
  const [first = '', ...rest] = words.map((word, index) =>
    index === 0 || /^(UI|OAuth|SSO)/.test(word) ? word : lower(word),
  );
  const last = rest.pop();
  return last === undefined ? first : `${[first, ...rest].join(', ')} and ${last}`;
}

const lower = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);
