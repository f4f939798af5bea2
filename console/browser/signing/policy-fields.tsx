import type { ReactNode } from 'react';
import { TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { fieldErrors } from '../frame/field-errors';
import type { Policy } from './documents';

/** The settings of a policy as form values. */
export interface PolicyForm {
  readonly name: string;
  readonly jwtAlg: string;
  readonly jwtAudience: string;
  readonly jwtClaimExpiresIn: string;
  readonly keyRotationDays: string;
}

export const emptyPolicy: PolicyForm = {
  name: '',
  jwtAlg: 'es256',
  jwtAudience: '',
  jwtClaimExpiresIn: '5',
  keyRotationDays: '90',
};

export const toPolicyForm = (policy: Policy): PolicyForm => ({
  name: policy.name,
  jwtAlg: String(policy.jwtAlg),
  jwtAudience: policy.jwtAudience ?? '',
  jwtClaimExpiresIn: policy.jwtClaimExpiresIn?.toString() ?? '',
  keyRotationDays: policy.keyRotationDays?.toString() ?? '',
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Parses a whole number; the API would refuse a text with a less helpful message. */
function numberIn(text: string, path: string, errors: InputError[]): number | null {
  if (text.trim() === '') return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  errors.push({ path, message: `${text.trim()} is not a whole number` });
  return null;
}

/** Converts the form to API settings, without name and algorithm; `errors` are invalid numbers. */
export function toPolicySettings(form: PolicyForm) {
  const errors: InputError[] = [];
  const settings = {
    jwtAudience: orNull(form.jwtAudience),
    jwtClaimExpiresIn: numberIn(form.jwtClaimExpiresIn, 'jwtClaimExpiresIn', errors),
    keyRotationDays: form.jwtAlg.startsWith('hs') ? null : numberIn(form.keyRotationDays, 'keyRotationDays', errors),
  };
  return { settings, errors };
}

/** The labels of the fields, by the name in the API. */
const labels = {
  name: 'Name',
  jwtAlg: 'Algorithm',
  jwtAudience: 'Audience',
  jwtClaimExpiresIn: 'Lifetime (minutes)',
  keyRotationDays: 'Key rotation (days)',
} as const satisfies Record<keyof PolicyForm, string>;

const order = Object.keys(emptyPolicy);

/** Maps the API's errors to fields of the form, in the order of the fields. */
export const toPolicyErrors = (
  errors: readonly { readonly path: readonly string[]; readonly message: string }[],
): InputError[] => {
  const names: Readonly<Record<string, string>> = {
    jwt_alg: 'jwtAlg',
    jwt_audience: 'jwtAudience',
    jwt_claim_expires_in: 'jwtClaimExpiresIn',
    key_rotation_days: 'keyRotationDays',
  };
  const named = errors.map(({ path: [field = ''], message }) => ({ path: [names[field] ?? field], message }));
  return fieldErrors(named, labels).sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
};

const algorithms = [
  { value: 'es256', label: 'ES256', note: 'Key pair on P-256: short signatures, widely supported. Recommended.' },
  { value: 'es384', label: 'ES384', note: 'Key pair on P-384' },
  { value: 'es512', label: 'ES512', note: 'Key pair on P-521' },
  { value: 'rs256', label: 'RS256', note: 'RSA key pair: for receivers without elliptic curves' },
  { value: 'rs384', label: 'RS384', note: 'RSA key pair' },
  { value: 'rs512', label: 'RS512', note: 'RSA key pair' },
  { value: 'hs256', label: 'HS256', note: 'Shared secret: anyone who can verify can also sign' },
  { value: 'hs384', label: 'HS384', note: 'Shared secret' },
  { value: 'hs512', label: 'HS512', note: 'Shared secret' },
];

export function PolicyFields({
  form,
  onChange,
  errors,
  isNew,
}: {
  readonly form: PolicyForm;
  readonly onChange: (form: PolicyForm) => void;
  readonly errors: readonly InputError[];
  /** The algorithm can only be set on creation. */
  readonly isNew: boolean;
}): ReactNode {
  const at = (path: string): string | undefined => errors.find((error) => error.path === path)?.message;
  return (
    <>
      <TextField
        label={labels.name}
        name="name"
        isOptional={isNew}
        isCode
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        error={at('name')}
        help={
          isNew
            ? 'Letters, digits, dots, dashes and underscores. Part of the URL of the keys.'
            : 'A new name changes the issuer at once. Receivers that check it reject deliveries until you update them.'
        }
      />
      {isNew && (
        <Select
          label={labels.jwtAlg}
          name="jwtAlg"
          value={form.jwtAlg}
          onChange={(jwtAlg) => onChange({ ...form, jwtAlg })}
          options={algorithms}
          error={at('jwtAlg')}
          help={algorithms.find(({ value }) => value === form.jwtAlg)?.note}
        />
      )}
      <TextField
        label={labels.jwtAudience}
        name="jwtAudience"
        isOptional
        isCode
        value={form.jwtAudience}
        onChange={(jwtAudience) => onChange({ ...form, jwtAudience })}
        error={at('jwtAudience')}
        help="The aud claim. Names the receiver, so that it can reject deliveries meant for others."
      />
      <TextField
        label={labels.jwtClaimExpiresIn}
        name="jwtClaimExpiresIn"
        isOptional
        inputMode="numeric"
        value={form.jwtClaimExpiresIn}
        onChange={(jwtClaimExpiresIn) => onChange({ ...form, jwtClaimExpiresIn })}
        error={at('jwtClaimExpiresIn')}
        help="Until the exp claim, 1 to 1,440. Leave empty for no expiry."
      />
      {form.jwtAlg.startsWith('hs') ? (
        <p className="field-help">
          A shared secret is rotated only on request, because receivers cannot fetch the next one.
        </p>
      ) : (
        <TextField
          label={labels.keyRotationDays}
          name="keyRotationDays"
          isOptional
          inputMode="numeric"
          value={form.keyRotationDays}
          onChange={(keyRotationDays) => onChange({ ...form, keyRotationDays })}
          error={at('keyRotationDays')}
          help="Every 1 to 365 days. Receivers with key discovery need no change. Leave empty to rotate only on request."
        />
      )}
    </>
  );
}
