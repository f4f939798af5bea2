import { scopeSchema } from '@itsm/shared/contracts/scopes';
import type { Scope } from '@itsm/shared/contracts/scopes';
import { isOffered } from '@itsm/shared/contracts/scope-choices';

/** The form of scopes: ticked actions, and a text line for each rule that boxes cannot express. */
export interface ScopeForm {
  readonly action: readonly string[];
  /** `deny request:Delete task:Delete in wdc` */
  readonly rules: string;
}

/** Converts scopes to the form without loss: rules that boxes cannot express become lines. */
export function toScopeForm(scopes: readonly Scope[]): ScopeForm {
  const isTicked = ({ effect, account }: Scope, action: string) =>
    effect === 'allow' && account === undefined && isOffered(action);
  const action = scopes.flatMap((scope) => scope.actions.filter((each) => isTicked(scope, each)));
  const lines = scopes.flatMap((scope) => {
    const others = scope.actions.filter((each) => !isTicked(scope, each));
    return others.length === 0 ? [] : [toLine({ ...scope, actions: others })];
  });
  return { action: [...new Set(action)], rules: lines.join('\n') };
}

const toLine = ({ effect, actions, account }: Scope): string =>
  [effect, ...actions, ...(account === undefined ? [] : ['in', account])].join(' ');

/** Parses the form into scopes, or returns the first line that cannot be parsed. */
export function fromScopeForm({ action, rules }: ScopeForm): { scopes: Scope[] } | { refusedLine: string } {
  const lines = rules.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const parsed = lines.map((line) => ({ line, scope: parseLine(line.trim()) }));
  const refused = parsed.find(({ scope }) => scope === undefined);
  if (refused) return { refusedLine: refused.line };
  const ticked: Scope[] = action.length === 0 ? [] : [{ effect: 'allow', actions: [...new Set(action)] }];
  return { scopes: [...ticked, ...parsed.flatMap(({ scope }) => scope ?? [])] };
}

function parseLine(line: string): Scope | undefined {
  const [effect, ...words] = line.split(/\s+/);
  const isLimited = words.at(-2) === 'in';
  const actions = isLimited ? words.slice(0, -2) : words;
  const result = scopeSchema.safeParse({ effect, actions, ...(isLimited && { account: words.at(-1) }) });
  return result.success ? result.data : undefined;
}

/** Boxes for each model of actions and each verb, with those of `it.form.action` ticked. */
export const scopeMatrix = /* html */ `<div class="matrix" tabindex="0" role="group" aria-label="Records"><table>
<thead><tr><th scope="col">Records</th><% it.verbs.forEach((verb) => { %><th scope="col"><%= verb %></th><% }) %></tr></thead>
<tbody><% it.models.forEach(({ model, label }) => { %><tr><th scope="row"><%= label %></th>
<% it.verbs.forEach((verb) => { %><td><label><span class="visually-hidden"><%= verb %> <%= label %></span><input type="checkbox" name="action" value="<%= model %>:<%= verb %>"<% if (it.form.action.includes(model + ':' + verb)) { %> checked<% } %>></label></td><% }) %></tr><% }) %></tbody>
</table></div>`;
