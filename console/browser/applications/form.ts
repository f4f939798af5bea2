import type { TypeDescription } from '@itsm/shared/declared/description';
import type { VariablesOf } from '../api/graphql';
import type { InputError } from '../design/input-error';
import { changesIn, toForm, toInput } from '../parts/settings';
import type { SettingForm } from '../parts/settings';
import type { Application, applicationCreate } from './documents';
import { fromScopeForm, toScopeForm } from './scopes';
import type { Scope, ScopeForm } from './scopes';
import { kinds, tokenExchange } from './texts';
import type { Kind } from './texts';

/** The settings of an application as form values, and its scopes as the picker has them. */
export interface ApplicationForm {
  readonly settings: SettingForm;
  readonly scopes: ScopeForm;
}

export const emptyForm = (type: TypeDescription): ApplicationForm => ({
  settings: { ...toForm(type), grantTypes: kinds[0]!.grantTypes },
  scopes: { actions: [], rules: '' },
});

export const toApplicationForm = (type: TypeDescription, application: Application): ApplicationForm => ({
  settings: toForm(type, application),
  scopes: toScopeForm(application.scopes),
});

/** Switches the kind: sets its defaults and keeps what was typed. */
export const ofKind = ({ settings, scopes }: ApplicationForm, kind: Kind): ApplicationForm => ({
  settings: {
    ...settings,
    grantTypes: kinds.find((one) => one.kind === kind)!.grantTypes,
    pkceRequired: kind === 'app' || settings['pkceRequired'] === true,
  },
  scopes,
});

interface Granted {
  readonly grantTypes: readonly string[];
}
export const takesPeople = ({ grantTypes }: Granted): boolean => grantTypes.includes('authorization_code');
export const actsAlone = ({ grantTypes }: Granted): boolean => grantTypes.includes('client_credentials');
export const exchanges = ({ grantTypes }: Granted): boolean => grantTypes.includes(tokenExchange);

/** The input of the mutations; the platform checks it. */
export type Settings = VariablesOf<typeof applicationCreate>['input'];

/** Converts the form to the input, or returns errors for numbers and scope rules that cannot be parsed. */
export function toSettings(
  type: TypeDescription,
  { settings, scopes }: ApplicationForm,
  isNew: boolean,
): { readonly settings: Settings } | { readonly errors: readonly InputError[] } {
  const { input, errors } = toInput(type, settings, isNew);
  const said = fromScopeForm(scopes);
  if ('refusedLine' in said)
    return { errors: [...errors, { path: 'scopes', message: `This rule is not valid: ${said.refusedLine}` }] };
  if (errors.length > 0) return { errors };
  return { settings: { ...input, scopes: said.scopes.map(toInputScope) } as Settings };
}

const toInputScope = ({ effect, actions, account }: Scope) => ({
  effect,
  actions: [...actions],
  ...((account ?? null) !== null && { account: account! }),
});

/** The changed settings only. Scopes that only differ in order are unchanged, and are not sent. */
export function changesOf(
  type: TypeDescription,
  form: ApplicationForm,
  before: ApplicationForm,
  { scopes, ...settings }: Settings,
): Partial<Settings> {
  const changes = changesIn(settings, toInput(type, before.settings, false).input);
  return hasSameScopes(form, before) ? changes : { ...changes, scopes };
}

/** Whether the scopes are unchanged, so that existing grants stay valid. */
export const hasSameScopes = ({ scopes }: ApplicationForm, { scopes: before }: ApplicationForm): boolean =>
  scopes.rules.trim() === before.rules.trim() &&
  scopes.actions.length === before.actions.length &&
  scopes.actions.every((action) => before.actions.includes(action));
