import './field.css';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { ofNoField } from './input-error';
import type { InputError } from './input-error';

/** Properties of every field. Help and `error` are both announced with the field. `name` is the path of its errors. */
export interface FieldProperties {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly name?: string;
}

/** Attributes that every kind of field has. */
export const fieldAttributes = ({ name, error }: FieldProperties) => ({
  className: 'field',
  id: name === undefined ? undefined : fieldId(name),
  isInvalid: error !== undefined,
  validationBehavior: 'aria' as const,
});
/** The element id that an error summary links to. */
export const fieldId = (name: string): string => `field-${name.replace(/[^\w-]/g, '-')}`;

/** The label of a field. */
export function Label({ label, isOptional = false }: FieldProperties): ReactNode {
  return (
    <Aria.Label className="field-label">
      {label} {isOptional && <small>optional</small>}
    </Aria.Label>
  );
}

/** The help and the error of a field. */
export function Notes({ help, error }: FieldProperties): ReactNode {
  return (
    <>
      {help !== undefined && (
        <Aria.Text slot="description" className="field-help">
          {help}
        </Aria.Text>
      )}
      <Aria.FieldError className="field-error">{error}</Aria.FieldError>
    </>
  );
}

/** A single-line text field; with `rows` a text area. */
export function TextField({
  value,
  onChange,
  onBlur,
  type = 'text',
  rows,
  isCode = false,
  placeholder,
  autoFocus = false,
  autoComplete = 'off',
  inputMode,
  ...field
}: FieldProperties & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly type?: 'text' | 'url' | 'email' | 'tel' | 'search' | 'password' | 'date' | 'time' | 'datetime-local';
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'text';
}): ReactNode {
  const className = isCode ? 'input input-code' : 'input';
  return (
    <Aria.TextField
      {...fieldAttributes(field)}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      type={type}
      autoFocus={autoFocus}
      autoComplete={autoComplete}
      inputMode={inputMode}
    >
      <Label {...field} />
      {rows === undefined ? (
        <Aria.Input className={className} placeholder={placeholder} spellCheck={!isCode} />
      ) : (
        <Aria.TextArea className={className} rows={rows} placeholder={placeholder} spellCheck={!isCode} />
      )}
      <Notes {...field} />
    </Aria.TextField>
  );
}

/** With `name` an error summary can link to it. */
export function Checkbox({
  isSelected,
  onChange,
  children,
  name,
  note,
  error,
  isDisabled = false,
}: {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
  readonly name?: string;
  readonly note?: string;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
}): ReactNode {
  const noteId = useId();
  const errorId = useId();
  const notes = [...(note === undefined ? [] : [noteId]), ...(error === undefined ? [] : [errorId])];
  return (
    <label className="check">
      <input
        type="checkbox"
        id={name !== undefined ? fieldId(name) : undefined}
        checked={isSelected}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={notes.length > 0 ? notes.join(' ') : undefined}
        aria-invalid={error !== undefined || undefined}
      />
      <span>
        {children}
        {note !== undefined && <small id={noteId}>{note}</small>}
        {error !== undefined && (
          <span className="field-error" id={errorId}>
            {error}
          </span>
        )}
      </span>
    </label>
  );
}

/** The errors of a form, on top of it: takes the focus when there are new ones, and links to each field. */
export function ErrorSummary({
  errors,
  title,
}: {
  readonly errors: readonly InputError[];
  readonly title: string;
}): ReactNode {
  const summary = useRef<HTMLDivElement>(null);
  const known = useRef<readonly InputError[]>([]);
  useEffect(() => {
    const hasNew = errors.some((error) => !known.current.includes(error));
    known.current = errors;
    // Without a new error the focus stays in the field that is being corrected.
    if (hasNew) summary.current?.focus();
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={summary}>
      <p>{title}</p>
      <ul>
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path === ofNoField ? (
              message
            ) : (
              <a href={`#${fieldId(path)}`} onClick={(event) => leadTo(event, path)}>
                {message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function leadTo(event: { preventDefault(): void }, path: string): void {
  event.preventDefault();
  const [id, control] = [`#${fieldId(path)}`, ':is(input, textarea, button)'];
  const field = document.querySelector<HTMLElement>(`${id}${control}, ${id} ${control}`);
  // Where somebody has folded it away since.
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}
