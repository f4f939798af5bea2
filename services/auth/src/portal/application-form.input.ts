import type { FieldError } from '@itsm/shared/base/errors/app-error';
import { z } from 'zod';
import { grantTypes } from '../clients/application';
import type { Application } from '../clients/application';
import type { ApplicationReferences } from '../clients/application-references';
import type { NewApplicationSettings } from '../clients/application.input';
import { fromScopeForm, toScopeForm } from './scope-form.page';

const text = z.string().max(16_384).default('');
/** One box ticked comes as a text, several as a list, none not at all. */
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
});

/** The settings of an application as the form has them: texts, one redirect URI per line, a person by e-mail. */
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
  };
}

type Parsed = { readonly settings: NewApplicationSettings } | { readonly errors: readonly FieldError[] };

/** No record has this id, so that an unknown address is refused as a person who does not exist. */
const unknownPerson = 0;

/** The settings that a form says. */
export async function fromApplicationForm(
  accountId: string,
  form: ApplicationForm,
  references: ApplicationReferences,
): Promise<Parsed> {
  const said = fromScopeForm(form);
  if ('refusedLine' in said) return { errors: [['scopes', `This rule is not understood: ${said.refusedLine}`]] };
  const person = form.actsAs.trim() && (await references.findPersonByEmail(accountId, form.actsAs));
  const settings = {
    name: form.name,
    description: form.description,
    homepage: orNull(form.homepage),
    grantTypes: form.grantType.filter(isGrantType),
    redirectUris: form.redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: said.scopes,
    ssoConfigurationId: form.ssoConfigurationId === '' ? null : Number(form.ssoConfigurationId),
    audience: orNull(form.audience),
    pkceRequired: form.pkceRequired !== '',
    actsAsPersonId: form.actsAs.trim() === '' ? null : person ? person.id : unknownPerson,
  };
  return { settings };
}

const isGrantType = (word: string): word is (typeof grantTypes)[number] => grantTypes.some((type) => type === word);

const orNull = (given: string): string | null => (given.trim() === '' ? null : given);
