import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { ComboBox } from '../design/combo-box';
import { Checkbox, TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { applicationChoices } from './documents';
import { actsAlone, exchanges, labels, takesPeople } from './form';
import type { ApplicationForm } from './form';
import { ScopePicker } from './scope-picker';
import type { Kind } from './texts';

interface Properties {
  readonly form: ApplicationForm;
  readonly onChange: (form: ApplicationForm) => void;
  readonly errors: readonly InputError[];
}

const messageAt = (errors: readonly InputError[], path: string): string | undefined => {
  const messages = errors.filter((error) => error.path === path).map(({ message }) => message);
  return messages.length === 0 ? undefined : messages.join('\n');
};

/** The fields that the grant types of an application need; `kind` chooses their wording. */
export function ApplicationFields({
  form,
  onChange,
  errors,
  kind,
  children,
}: Properties & { readonly kind?: Kind; readonly children?: ReactNode }): ReactNode {
  const at = (path: string): string | undefined => messageAt(errors, path);
  return (
    <>
      <TextField
        label={labels.name}
        name="name"
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        error={at('name')}
        help={takesPeople(form) ? 'Shown to people when they authorize it.' : 'Shown in lists and logs.'}
      />
      {children}
      {takesPeople(form) && <RedirectFields form={form} onChange={onChange} errors={errors} {...(kind && { kind })} />}
      {(actsAlone(form) || exchanges(form)) && <TiedFields form={form} onChange={onChange} errors={errors} />}
      <ScopePicker
        value={{ actions: form.actions, rules: form.rules }}
        onChange={(scopes) => onChange({ ...form, ...scopes })}
        error={at('scopes')}
      />
      <MoreFields form={form} onChange={onChange} errors={errors} />
    </>
  );
}

const examples: Readonly<Record<Kind, string>> = {
  web: 'https://shop.example/oauth/callback',
  app: 'com.example.app:/callback',
  service: '',
  exchange: '',
};

function RedirectFields({ form, onChange, errors, kind }: Properties & { readonly kind?: Kind }): ReactNode {
  return (
    <>
      <TextField
        label={labels.redirectUris}
        name="redirectUris"
        rows={3}
        isCode
        inputMode="url"
        placeholder={examples[kind ?? 'web']}
        value={form.redirectUris}
        onChange={(redirectUris) => onChange({ ...form, redirectUris })}
        error={messageAt(errors, 'redirectUris')}
        help="One per line: https, http on 127.0.0.1, or a custom scheme of an app."
      />
      <Checkbox
        isSelected={form.grantTypes.includes('refresh_token')}
        onChange={(isOn) =>
          onChange({
            ...form,
            grantTypes: isOn
              ? [...form.grantTypes, 'refresh_token']
              : form.grantTypes.filter((type) => type !== 'refresh_token'),
          })
        }
        note="Authorizations last until they are revoked. Without, people sign in again after an hour."
      >
        Issue refresh tokens
      </Checkbox>
      {kind === 'app' ? (
        <p className="field-help">
          PKCE is always required here: a client secret inside an app can be extracted, so it protects nothing.
        </p>
      ) : (
        <Checkbox
          isSelected={form.pkceRequired}
          onChange={(pkceRequired) => onChange({ ...form, pkceRequired })}
          note="Refuses sign-ins without a code challenge. Leave it on unless its library does not support PKCE; custom schemes of apps always need it."
        >
          Require PKCE
        </Checkbox>
      )}
    </>
  );
}

/** The fields that tie an application: the person whom a service acts as, and the provider of a system. */
function TiedFields({ form, onChange, errors }: Properties): ReactNode {
  const { account } = useAccount();
  const [search, setSearch] = useState('');
  const words = useDebounced(search, 250).trim();
  const { data, isPending } = useDocument(applicationChoices, { query: words === '' ? null : words }, account);
  const choices = data?.data;
  const people = [...(choices?.people?.nodes ?? []), ...(choices?.found?.nodes ?? [])];
  const options = new Map(
    people.map(({ id, name, primaryEmail }) => [id, { value: id, label: name, note: primaryEmail }]),
  );
  const isCut = (choices?.people?.totalCount ?? 0) > 100;
  return (
    <>
      {actsAlone(form) && (
        <ComboBox
          label={labels.actsAsPersonId}
          name="actsAsPersonId"
          value={form.actsAsPersonId}
          onChange={(actsAsPersonId) => onChange({ ...form, actsAsPersonId })}
          onSearch={setSearch}
          error={messageAt(errors, 'actsAsPersonId')}
          groups={[{ title: 'People', options: [...options.values()] }]}
          isLoading={isPending}
          help={`Its calls run as this person, with the roles of this person.${isCut ? ' Type a whole name or address to find others.' : ''}`}
        />
      )}
      {exchanges(form) && (
        <>
          <Select
            label={labels.ssoConfigurationId}
            name="ssoConfigurationId"
            value={form.ssoConfigurationId}
            onChange={(ssoConfigurationId) => onChange({ ...form, ssoConfigurationId })}
            error={messageAt(errors, 'ssoConfigurationId')}
            options={(choices?.ssoConfigurations?.nodes ?? []).map(({ id, name, issuer, disabled }) => ({
              value: id,
              label: disabled ? `${name} (disabled)` : name,
              note: issuer,
            }))}
            help={
              <>
                Issues the identity tokens: one of the{' '}
                <a href="/oauth/administration/sso-configurations">SSO configurations</a>.
              </>
            }
          />
          <TextField
            label={labels.audience}
            name="audience"
            isCode
            value={form.audience}
            onChange={(audience) => onChange({ ...form, audience })}
            error={messageAt(errors, 'audience')}
            help="The aud claim of the identity tokens, usually the client id at the provider."
          />
        </>
      )}
    </>
  );
}

function MoreFields({ form, onChange, errors }: Properties): ReactNode {
  const at = (path: string): string | undefined => messageAt(errors, path);
  const paths = ['description', 'homepage', 'jwks', 'jwksUri', 'privateKeyJwtRequired'];
  const isOpen = paths.some((path) => at(path) !== undefined);
  return (
    <details className="more-fields" {...(isOpen && { open: true })}>
      <summary>More: description, homepage, keys instead of a secret</summary>
      <div className="form">
        <TextField
          label={labels.description}
          isOptional
          name="description"
          rows={2}
          value={form.description}
          onChange={(description) => onChange({ ...form, description })}
          error={at('description')}
        />
        <TextField
          label={labels.homepage}
          isOptional
          name="homepage"
          type="url"
          value={form.homepage}
          onChange={(homepage) => onChange({ ...form, homepage })}
          error={at('homepage')}
        />
        <TextField
          label={labels.jwksUri}
          isOptional
          name="jwksUri"
          type="url"
          value={form.jwksUri}
          onChange={(jwksUri) => onChange({ ...form, jwksUri })}
          error={at('jwksUri')}
          help="The https URL of its public keys, to authenticate with private_key_jwt instead of a secret."
        />
        <TextField
          label={labels.jwks}
          isOptional
          name="jwks"
          isCode
          rows={4}
          value={form.jwks}
          onChange={(jwks) => onChange({ ...form, jwks })}
          error={at('jwks')}
          help="Or the public keys themselves, as JSON."
        />
        <Checkbox
          name="privateKeyJwtRequired"
          isSelected={form.privateKeyJwtRequired}
          onChange={(privateKeyJwtRequired) => onChange({ ...form, privateKeyJwtRequired })}
          note="Client secrets are then refused."
          error={at('privateKeyJwtRequired')}
        >
          Require private_key_jwt
        </Checkbox>
      </div>
    </details>
  );
}
