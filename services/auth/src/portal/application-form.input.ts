import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { z } from 'zod';
import { grantTypes } from '../clients/application';
import type { Application } from '../clients/application';
import type { ApplicationReferences } from '../clients/application-references';
import { missingFor } from '../clients/application.input';
import type { NewApplicationSettings } from '../clients/application.input';
import { fromScopeForm, toScopeForm } from './scope-form.page';

/** A coarse limit; the fields have limits of their own. */
const text = z.string().max(32_768).default('');
/** Checkboxes: one ticked box arrives as a text, several as a list, none as no member. */
const ticked = z.preprocess(
  (given) => (given === undefined ? [] : [given].flat()),
  z.array(z.string().max(100)).max(500),
);
export const applicationForm = z.object({
  name: text,
  description: text,
  homepage: text,
  redirectUris: text,
  rules: text,
  ssoConfigurationId: text,
  audience: text,
  actsAs: text,
  grantType: ticked,
  action: ticked,
  pkceRequired: text,
  jwks: text,
  jwksUri: text,
  privateKeyJwtRequired: text,
});

/** The form of an application's settings: texts, one redirect URI per line, a person by e-mail address. */
export type ApplicationForm = z.output<typeof applicationForm>;

export const emptyForm: ApplicationForm = {
  name: '',
  description: '',
  homepage: '',
  redirectUris: '',
  rules: '',
  ssoConfigurationId: '',
  audience: '',
  actsAs: '',
  grantType: ['authorization_code', 'refresh_token'],
  action: [],
  pkceRequired: 'yes',
  jwks: '',
  jwksUri: '',
  privateKeyJwtRequired: '',
};

/** `actsAs` is the e-mail address of the person. */
export function toApplicationForm(application: Application, actsAs: string): ApplicationForm {
  const { action, rules } = toScopeForm(application.scopes);
  return {
    name: application.name,
    description: application.description,
    homepage: application.homepage ?? '',
    redirectUris: application.redirectUris.join('\n'),
    rules,
    action: [...action],
    ssoConfigurationId: String(application.ssoConfigurationId ?? ''),
    audience: application.audience ?? '',
    actsAs,
    grantType: [...application.grantTypes],
    pkceRequired: application.pkceRequired ? 'yes' : '',
    jwks: readable(application.jwks),
    jwksUri: application.jwksUri ?? '',
    privateKeyJwtRequired: application.privateKeyJwtRequired ? 'yes' : '',
  };
}

/** The settings from the form, complete. */
type FormSettings = NewApplicationSettings & Parameters<typeof missingFor>[0];
type Parsed = { readonly settings: FormSettings } | { readonly errors: readonly FieldError[] };

/** An id that no person has, so that an unknown e-mail address is refused as an unknown person. */
const unknownPerson = 0;

/** Converts the form into settings. */
export async function fromApplicationForm(
  accountId: string,
  form: ApplicationForm,
  references: ApplicationReferences,
): Promise<Parsed> {
  const parsed = fromScopeForm(form);
  if ('refusedLine' in parsed) return { errors: [['scopes', `This rule is malformed: ${parsed.refusedLine}`]] };
  const person = form.actsAs.trim() && (await references.findPersonByEmail(accountId, form.actsAs));
  const settings = {
    name: form.name,
    description: form.description,
    homepage: orNull(form.homepage),
    grantTypes: form.grantType.filter(isGrantType),
    redirectUris: linesOf(form.redirectUris).map(({ uri }) => uri),
    scopes: parsed.scopes,
    ssoConfigurationId: form.ssoConfigurationId === '' ? null : Number(form.ssoConfigurationId),
    audience: orNull(form.audience),
    pkceRequired: form.pkceRequired !== '',
    jwks: orNull(form.jwks),
    jwksUri: orNull(form.jwksUri),
    privateKeyJwtRequired: form.privateKeyJwtRequired !== '',
    actsAsPersonId: form.actsAs.trim() === '' ? null : person ? person.id : unknownPerson,
  };
  return { settings };
}

/** The redirect URIs with the lines they stand on. */
const linesOf = (text: string): { readonly uri: string; readonly line: number }[] =>
  text
    .split('\n')
    .flatMap((words, at) => words.split(/\s+/).map((uri) => ({ uri, line: at + 1 })))
    .filter(({ uri }) => uri !== '');

/** The errors by form field, for redirect URIs with their line. Missing settings are reported together with invalid ones. */
export function toFormErrors(
  errors: readonly FieldError[],
  { settings, form }: { readonly settings: FormSettings; readonly form: ApplicationForm },
): FieldError[] {
  const lines = linesOf(form.redirectUris);
  const shown = errors.map(([path, text]): FieldError => {
    const [field = path, index] = path.split('.');
    const at = field === 'redirectUris' && index !== undefined ? lines[Number(index)] : undefined;
    return [field, at ? `Line ${at.line}, “${at.uri.slice(0, 80)}”: ${text}` : text];
  });
  const missing = missingFor(settings).filter(([field]) => !shown.some(([name]) => name === field));
  return [...shown, ...missing];
}

const isGrantType = (word: string): word is (typeof grantTypes)[number] => grantTypes.some((type) => type === word);

const readable = (jwks: string | null): string => (jwks === null ? '' : JSON.stringify(JSON.parse(jwks), null, 2));

const orNull = (given: string): string | null => (given.trim() === '' ? null : given);
