import type { VariablesOf } from '../api/graphql';
import type { InputError } from '../design/input-error';
import { fieldErrors } from '../frame/field-errors';
import type { Application, applicationCreate } from './documents';
import { fromScopeForm, toScopeForm } from './scopes';
import type { Scope } from './scopes';
import { kinds, tokenExchange } from './texts';
import type { Kind } from './texts';

/** The settings of an application as form values: texts, with one redirect address per line. */
export interface ApplicationForm {
  readonly name: string;
  readonly description: string;
  readonly homepage: string;
  readonly grantTypes: readonly string[];
  readonly redirectUris: string;
  readonly actions: readonly string[];
  readonly rules: string;
  readonly ssoConfigurationId: string;
  readonly audience: string;
  readonly actsAsPersonId: string;
  readonly pkceRequired: boolean;
  readonly jwks: string;
  readonly jwksUri: string;
  readonly privateKeyJwtRequired: boolean;
}

/** The labels of the fields, by the name in the API. */
export const labels = {
  name: 'Name',
  description: 'Description',
  homepage: 'Homepage',
  redirectUris: 'Redirect URIs',
  ssoConfigurationId: 'Identity provider',
  audience: 'Audience',
  actsAsPersonId: 'Acts as',
  jwks: 'JWKS',
  jwksUri: 'JWKS URI',
} as const;

export const emptyForm: ApplicationForm = {
  name: '',
  description: '',
  homepage: '',
  grantTypes: kinds[0]!.grantTypes,
  redirectUris: '',
  actions: [],
  rules: '',
  ssoConfigurationId: '',
  audience: '',
  actsAsPersonId: '',
  pkceRequired: true,
  jwks: '',
  jwksUri: '',
  privateKeyJwtRequired: false,
};

export const toForm = (application: Application): ApplicationForm => ({
  name: application.name,
  description: application.description,
  homepage: application.homepage ?? '',
  grantTypes: application.grantTypes,
  redirectUris: application.redirectUris.join('\n'),
  ...toScopeForm(application.scopes),
  ssoConfigurationId: application.ssoConfiguration?.id ?? '',
  audience: application.audience ?? '',
  actsAsPersonId: application.actsAsPerson?.id ?? '',
  pkceRequired: application.pkceRequired,
  jwks: application.jwks ?? '',
  jwksUri: application.jwksUri ?? '',
  privateKeyJwtRequired: application.privateKeyJwtRequired,
});

/** Switches the kind: sets its defaults and keeps what was typed. */
export const ofKind = (form: ApplicationForm, kind: Kind): ApplicationForm => ({
  ...form,
  grantTypes: kinds.find((one) => one.kind === kind)!.grantTypes,
  pkceRequired: kind === 'app' || form.pkceRequired,
});

export const takesPeople = ({ grantTypes }: Pick<ApplicationForm, 'grantTypes'>): boolean =>
  grantTypes.includes('authorization_code');
export const actsAlone = ({ grantTypes }: Pick<ApplicationForm, 'grantTypes'>): boolean =>
  grantTypes.includes('client_credentials');
export const exchanges = ({ grantTypes }: Pick<ApplicationForm, 'grantTypes'>): boolean =>
  grantTypes.includes(tokenExchange);

type Settings = VariablesOf<typeof applicationCreate>['input'];

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The redirect addresses with their line numbers, from 1. */
const linesOf = (text: string): { readonly uri: string; readonly line: number }[] =>
  text
    .split('\n')
    .map((uri, index) => ({ uri: uri.trim(), line: index + 1 }))
    .filter(({ uri }) => uri !== '');

/** Converts the form to API settings, or returns errors for scope rules that cannot be parsed. */
export function toSettings(form: ApplicationForm): { readonly settings: Settings } | { readonly errors: InputError[] } {
  const said = fromScopeForm(form);
  if ('refusedLine' in said)
    return { errors: [{ path: 'scopes', message: `This rule is not valid: ${said.refusedLine}` }] };
  return {
    settings: {
      name: form.name.trim(),
      description: form.description.trim(),
      homepage: orNull(form.homepage),
      grantTypes: [...form.grantTypes],
      redirectUris: takesPeople(form) ? linesOf(form.redirectUris).map(({ uri }) => uri) : [],
      scopes: said.scopes.map(toInput),
      ssoConfigurationId: exchanges(form) ? orNull(form.ssoConfigurationId) : null,
      audience: exchanges(form) ? orNull(form.audience) : null,
      actsAsPersonId: actsAlone(form) ? orNull(form.actsAsPersonId) : null,
      pkceRequired: form.pkceRequired,
      jwks: orNull(form.jwks),
      jwksUri: orNull(form.jwksUri),
      privateKeyJwtRequired: form.privateKeyJwtRequired,
    },
  };
}

const toInput = ({ effect, actions, account }: Scope) => ({
  effect,
  actions: [...actions],
  ...((account ?? null) !== null && { account: account! }),
});

/** The changed settings only. Scopes that only differ in order are unchanged, and are not sent. */
export function changesOf(form: ApplicationForm, before: ApplicationForm, settings: Settings): Partial<Settings> {
  const isSame = hasSameScopes(form, before);
  const was = toSettings(before);
  if ('errors' in was) return settings;
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) =>
      name === 'scopes' ? !isSame : JSON.stringify(value) !== JSON.stringify(was.settings[name as keyof Settings]),
    ),
  );
}

/** Whether the scopes are unchanged, so that existing grants stay valid. */
export const hasSameScopes = (form: ApplicationForm, before: ApplicationForm): boolean =>
  form.rules.trim() === before.rules.trim() &&
  form.actions.length === before.actions.length &&
  form.actions.every((action) => before.actions.includes(action));

/** Required fields for the grant types that are empty; the API reports them only when everything else is valid. */
function missingIn(form: ApplicationForm): InputError[] {
  const needs: readonly (readonly [boolean, string, string, string])[] = [
    [takesPeople(form), form.redirectUris, 'redirectUris', 'A redirect URI is required'],
    [actsAlone(form), form.actsAsPersonId, 'actsAsPersonId', 'A person to act as is required'],
    [exchanges(form), form.ssoConfigurationId, 'ssoConfigurationId', 'An identity provider is required'],
    [exchanges(form), form.audience, 'audience', 'An audience is required'],
  ];
  return needs
    .filter(([isNeeded, value]) => isNeeded && value.trim() === '')
    .map(([, , path, message]) => ({ path, message }));
}

/** Maps the API's errors to fields of the form; that of a redirect address names its line. */
export function toFormErrors(
  errors: readonly { readonly path: readonly string[]; readonly message: string }[],
  form: ApplicationForm,
): InputError[] {
  const lines = linesOf(form.redirectUris);
  const inLines = errors.map(({ path, message }) => {
    const [field, index] = path;
    const at = field === 'redirectUris' && index !== undefined ? lines[Number(index)] : undefined;
    return { path, message: at ? `Line ${at.line}, “${at.uri.slice(0, 80)}”: ${message}` : message };
  });
  const told = fieldErrors(inLines, labels);
  return [...told, ...missingIn(form).filter(({ path }) => !told.some((error) => error.path === path))];
}
