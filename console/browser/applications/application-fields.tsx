import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { ComboBox } from '../design/combo-box';
import { Checkbox, TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { Boxes, SettingFields } from '../parts/setting-fields';
import type { Control } from '../parts/setting-fields';
import { applicationChoices } from './documents';
import type { ApplicationForm } from './form';
import { ScopePicker } from './scope-picker';
import type { Kind } from './texts';

const looks = {
  audience: { isCode: true },
  homepage: { type: 'url' },
  jwksUri: { type: 'url' },
  jwks: { isCode: true, rows: 4 },
} as const;

/** The settings of an application; `kind` chooses the wording for a new one, and with it the grant types. */
export function ApplicationFields({
  type,
  form,
  onChange,
  errors,
  kind,
}: {
  readonly type: TypeDescription;
  readonly form: ApplicationForm;
  readonly onChange: (form: ApplicationForm) => void;
  readonly errors: readonly InputError[];
  readonly kind?: Kind;
}): ReactNode {
  const grantTypes = form.settings['grantTypes'] as readonly string[];
  const setGrantTypes = (next: readonly string[]): void =>
    onChange({ ...form, settings: { ...form.settings, grantTypes: next } });
  const controls = {
    grantTypes: (control: Control) => kind === undefined && <GrantTypes {...control} />,
    redirectUris: (control: Control) => (
      <RedirectUris control={control} kind={kind ?? 'web'} grantTypes={grantTypes} onGrantTypes={setGrantTypes} />
    ),
    ...(kind === 'app' && { pkceRequired: () => <PkceOfApps /> }),
    actsAsPersonId: (control: Control) => <ActsAs {...control} />,
    ssoConfigurationId: (control: Control) => <Provider {...control} />,
    scopes: ({ error }: Control) => (
      <ScopePicker value={form.scopes} onChange={(scopes) => onChange({ ...form, scopes })} error={error} />
    ),
  };
  return (
    <SettingFields
      type={type}
      form={form.settings}
      onChange={(settings) => onChange({ ...form, settings })}
      errors={errors}
      isNew={kind !== undefined}
      controls={controls}
      looks={looks}
    />
  );
}

/** Refresh tokens have a box of their own, beside the redirect URIs. */
function GrantTypes({ field, value, onChange, ...rest }: Control): ReactNode {
  const words = field.words?.filter((word) => word.value !== 'refresh_token');
  const change = (next: Control['value']): void => {
    const chosen = next as readonly string[];
    onChange(chosen.includes('authorization_code') ? chosen : chosen.filter((one) => one !== 'refresh_token'));
  };
  return <Boxes field={{ ...field, words }} value={value} onChange={change} {...rest} />;
}

const examples: Readonly<Record<Kind, string>> = {
  web: 'https://shop.example/oauth/callback',
  app: 'com.example.app:/callback',
  service: '',
  exchange: '',
};

function RedirectUris({
  control: { label, name, value, onChange, error },
  kind,
  grantTypes,
  onGrantTypes,
}: {
  readonly control: Control;
  readonly kind: Kind;
  readonly grantTypes: readonly string[];
  readonly onGrantTypes: (grantTypes: readonly string[]) => void;
}): ReactNode {
  const others = grantTypes.filter((one) => one !== 'refresh_token');
  return (
    <>
      <TextField
        label={label}
        name={name}
        rows={3}
        isCode
        inputMode="url"
        placeholder={examples[kind]}
        value={String(value)}
        onChange={onChange}
        error={error}
        help="One per line: https, http on 127.0.0.1, or a custom scheme of an app."
      />
      <Checkbox
        isSelected={grantTypes.includes('refresh_token')}
        onChange={(isOn) => onGrantTypes(isOn ? [...others, 'refresh_token'] : others)}
        note="Authorizations last until they are revoked. Without, people sign in again after an hour."
      >
        Issue refresh tokens
      </Checkbox>
    </>
  );
}

const PkceOfApps = (): ReactNode => (
  <p className="field-help">
    PKCE is always required here: a client secret inside an app can be extracted, so it protects nothing.
  </p>
);

function ActsAs({ name, value, onChange, error }: Control): ReactNode {
  const { account } = useAccount();
  const [search, setSearch] = useState('');
  const words = useDebounced(search, 250).trim();
  const { data, isPending } = useDocument(applicationChoices, { query: words === '' ? null : words }, account);
  const choices = data?.data;
  const people = [...(choices?.people?.nodes ?? []), ...(choices?.found?.nodes ?? [])];
  const options = new Map(
    people.map(({ id, name: label, primaryEmail }) => [id, { value: id, label, note: primaryEmail }]),
  );
  const isCut = (choices?.people?.totalCount ?? 0) > 100;
  return (
    <ComboBox
      label="Acts as"
      name={name}
      value={String(value)}
      onChange={onChange}
      onSearch={setSearch}
      error={error}
      groups={[{ title: 'People', options: [...options.values()] }]}
      isLoading={isPending}
      help={`Its calls run as this person, with the roles of this person.${isCut ? ' Type a whole name or address to find others.' : ''}`}
    />
  );
}

function Provider({ label, name, value, onChange, error }: Control): ReactNode {
  const { account } = useAccount();
  const { data } = useDocument(applicationChoices, { query: null }, account);
  return (
    <Select
      label={label}
      name={name}
      value={String(value)}
      onChange={onChange}
      error={error}
      options={(data?.data.ssoConfigurations?.nodes ?? []).map(({ id, name: title, issuer, disabled }) => ({
        value: id,
        label: disabled ? `${title} (disabled)` : title,
        note: issuer,
      }))}
      help={
        <>
          Issues the identity tokens: one of the{' '}
          <a href="/oauth/administration/sso-configurations">SSO configurations</a>.
        </>
      }
    />
  );
}
