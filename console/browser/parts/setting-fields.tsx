import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { Checkbox, TextField, fieldId } from '../design/field';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { isNeeded, isShown, settingsOf } from './settings';
import type { Setting, SettingForm } from './settings';

/** What a control of a setting needs; a form has its own for what one kind of control cannot do. */
export interface Control {
  readonly field: Setting;
  readonly name: string;
  readonly label: string;
  readonly value: SettingForm[string];
  readonly onChange: (value: SettingForm[string]) => void;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly isOptional: boolean;
}

/** How the text field of a setting looks, by the setting's name in inputs. */
type Looks = Readonly<Record<string, Partial<Omit<Parameters<typeof TextField>[0], 'value' | 'onChange'>>>>;

interface Properties {
  readonly type: TypeDescription;
  readonly form: SettingForm;
  readonly onChange: (form: SettingForm) => void;
  readonly errors: readonly InputError[];
  readonly isNew: boolean;
  /** Controls of this form by the setting's name in inputs. */
  readonly controls?: Readonly<Record<string, (control: Control) => ReactNode>>;
  readonly looks?: Looks;
  /** Whether groups are unfolded at first. */
  readonly isUnfolded?: boolean;
}

export const messageAt = (errors: readonly InputError[], path: string): string | undefined => {
  const messages = errors.filter((error) => error.path === path).map(({ message }) => message);
  return messages.length === 0 ? undefined : messages.join('\n');
};

/** The settings of a type in their order, one control for each kind; groups are folded away. */
export function SettingFields(properties: Properties): ReactNode {
  const { type, isNew } = properties;
  const settings = settingsOf(type, isNew);
  return (
    <>
      {settings
        .filter(({ group }) => group === undefined)
        .map((field) => (
          <OneSetting key={field.input} field={field} {...properties} />
        ))}
      {type.groups.map(({ name, label }) => {
        const within = settings.filter(({ group }) => group === name);
        return within.length > 0 && <Group key={name} label={label} settings={within} {...properties} />;
      })}
    </>
  );
}

/** Opens for an error in it. */
function Group({
  label,
  settings,
  ...properties
}: Properties & { readonly label: string; readonly settings: readonly Setting[] }): ReactNode {
  const { errors } = properties;
  const [isUnfolded, setUnfolded] = useState(properties.isUnfolded ?? false);
  const [seen, setSeen] = useState(errors);
  if (errors !== seen) {
    setSeen(errors);
    // It stays open while somebody mends it: a field that is folded away under their hands loses the focus.
    if (errors.some(({ path }) => settings.some(({ input }) => input === path))) setUnfolded(true);
  }
  return (
    <details
      className="disclosure-plain"
      open={isUnfolded}
      onToggle={(toggled) => setUnfolded(toggled.currentTarget.open)}
    >
      <summary>{label}</summary>
      <div className="form">
        {settings.map((field) => (
          <OneSetting key={field.input} field={field} {...properties} />
        ))}
      </div>
    </details>
  );
}

function OneSetting({
  field,
  type,
  form,
  onChange,
  errors,
  isNew,
  controls = {},
  looks = {},
}: Properties & { readonly field: Setting }): ReactNode {
  const { input, label, help } = field;
  if (!isShown(type, field, form)) return null;
  const control: Control = {
    field,
    name: input,
    label,
    value: form[input] ?? '',
    onChange: (value) => onChange({ ...form, [input]: value }),
    help,
    error: messageAt(errors, input),
    isOptional: !isNeeded(type, field, form, isNew),
  };
  const own = controls[input];
  return own ? own(control) : <ByKind {...control} look={looks[input]} />;
}

/** The control of the setting's kind. */
function ByKind({
  field,
  value,
  onChange,
  look,
  ...rest
}: Control & { readonly look: Looks[string] | undefined }): ReactNode {
  const { name, label, help, error } = rest;
  const words = field.words ?? [];
  if (field.kind === 'flag')
    return (
      <Checkbox name={name} isSelected={value === true} onChange={onChange} error={error} note={help}>
        {label}
      </Checkbox>
    );
  if (field.kind === 'choice' && field.many) return <Boxes field={field} value={value} onChange={onChange} {...rest} />;
  if (field.kind === 'choice')
    return (
      <Select
        {...rest}
        value={String(value)}
        onChange={onChange}
        options={[
          ...(field.required ? [] : [{ value: '', label: 'None' }]),
          ...words.map(({ value: one, label: text, note }) => ({ value: one, label: text, note })),
        ]}
        help={words.find((word) => word.value === value)?.note ?? help}
      />
    );
  return (
    <TextField
      {...rest}
      value={String(value)}
      onChange={onChange}
      inputMode={field.kind === 'integer' ? 'numeric' : undefined}
      type={field.kind === 'secret' ? 'password' : undefined}
      autoComplete={field.kind === 'secret' ? 'new-password' : undefined}
      rows={field.many ? 3 : field.lines === 'many' ? 2 : undefined}
      {...look}
    />
  );
}

/** Several of a few words. */
export function Boxes({ field, name, label, value, onChange, error }: Omit<Control, 'isOptional' | 'help'>): ReactNode {
  const errorId = useId();
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset className="boxes-field" id={fieldId(name)} aria-describedby={error !== undefined ? errorId : undefined}>
      <legend className="field-label">{label}</legend>
      {(field.words ?? []).map(({ value: one, label: text, note }) => (
        <Checkbox
          key={one}
          isSelected={chosen.includes(one)}
          onChange={(isOn) => onChange(isOn ? [...chosen, one] : chosen.filter((other) => other !== one))}
          note={note}
        >
          {text}
        </Checkbox>
      ))}
      {error !== undefined && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
