import type { Scope } from './scopes';
import { models } from './scope-choices';
import type { ScopeChoice } from './scope-choices';

/** Names in sentences that differ from the label of the choice, or that have no choice. */
const irregular: Readonly<Record<string, string>> = {
  me: 'your own name and details',
  'ui-extension-version': 'UI extension versions',
  'security-log': 'the security log',
};
const verbs: Readonly<Record<string, string>> = {
  Read: 'See',
  Create: 'Create',
  Update: 'Change',
  Delete: 'Delete',
  Name: 'See',
};
const everyVerb = 'See, create, change and delete';

/** Describes scopes as sentences for people: what they allow, and what they deny. */
export function describeScopes(
  scopes: readonly Scope[],
  choices: readonly ScopeChoice[] = models,
): { allowed: string[]; denied: string[] } {
  const names = new Map(choices.map(({ model, label }) => [model, lower(label)]));
  const nameOf = (model: string) => irregular[model] ?? names.get(model) ?? plural(model.replaceAll('-', ' '));
  const of = (effect: Scope['effect']) =>
    scopes.filter((scope) => scope.effect === effect).flatMap((scope) => sentences(scope, nameOf));
  return { allowed: of('allow'), denied: of('deny') };
}

/** One sentence per set of verbs, listing all its resources. */
function sentences({ actions, account }: Scope, nameOf: (model: string) => string): string[] {
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

const plural = (noun: string): string => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);

function list(words: readonly string[]): string {
  const [first = '', ...rest] = words.map((word, index) => (index === 0 ? word : lower(word)));
  const last = rest.pop();
  return last === undefined ? first : `${[first, ...rest].join(', ')} and ${last}`;
}

/** Lower-cases the first letter, except of abbreviations such as UI, OAuth and SSO. */
const lower = (word: string): string => (/^[A-Z]{2}/.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1));
