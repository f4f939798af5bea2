import './applications.css';
import { Fragment, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button } from '../design/button';
import { Checkbox, TextField, fieldId } from '../design/field';
import { aboutMe, modelGroups, scopePresets, verbs } from './scopes';
import type { ScopeForm } from './scopes';

const models = modelGroups.flatMap((group) => group.models);

/**
 * A grid of checkboxes, by model and verb. It is a single tab stop; arrow keys move between boxes (WAI-ARIA APG,
 * "Grid").
 */
export function ScopePicker({
  value,
  onChange,
  error,
}: {
  readonly value: ScopeForm;
  readonly onChange: (value: ScopeForm) => void;
  readonly error?: string | undefined;
}): ReactNode {
  const [place, setPlace] = useState<readonly [number, number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const errorId = useId();
  const ticked = new Set(value.actions);
  const set = (actions: Iterable<string>): void => onChange({ ...value, actions: [...new Set(actions)] });
  const toggle = (action: string): void =>
    set(ticked.has(action) ? value.actions.filter((other) => other !== action) : [...value.actions, action]);

  const move = (event: KeyboardEvent): void => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const row = Math.min(Math.max(place[0] + step[0]!, 0), models.length - 1);
    const column = Math.min(Math.max(place[1] + step[1]!, 0), verbs.length - 1);
    setPlace([row, column]);
    table.current?.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`)?.focus();
  };

  return (
    <fieldset
      className="scopes-field"
      id={fieldId('scopes')}
      aria-describedby={error !== undefined ? errorId : undefined}
    >
      <legend className="field-label">Scopes</legend>
      <p className="field-help">
        Never more than the roles of the person it acts for. Start with a preset, or select actions.
      </p>
      <div className="row">
        {scopePresets.map(({ label, actions }) => (
          <Button key={label} onPress={() => set([...value.actions, ...actions])}>
            {label}
          </Button>
        ))}
        {value.actions.length > 0 && (
          <Button kind="plain" onPress={() => set([])}>
            Clear
          </Button>
        )}
      </div>
      {error !== undefined && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
      <Checkbox isSelected={ticked.has(aboutMe)} onChange={() => toggle(aboutMe)}>
        See who the person is
      </Checkbox>
      <div className="scope-matrix">
        <table ref={table} onKeyDown={move} aria-label="Scopes by kind of record; arrow keys move">
          <thead>
            <tr>
              <td />
              {verbs.map((verb) => (
                <th key={verb} scope="col">
                  {verb}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {modelGroups.map(({ title, models: grouped }) => (
              <Fragment key={title}>
                <tr>
                  <th colSpan={verbs.length + 1} scope="rowgroup" className="scope-group">
                    {title}
                  </th>
                </tr>
                {grouped.map(({ model, label }) => {
                  const row = models.findIndex((other) => other.model === model);
                  return (
                    <tr key={model}>
                      <th scope="row">{label}</th>
                      {verbs.map((verb, column) => (
                        <td key={verb}>
                          <label>
                            <span className="visually-hidden">
                              {verb} {label}
                            </span>
                            <input
                              type="checkbox"
                              checked={ticked.has(`${model}:${verb}`)}
                              onChange={() => toggle(`${model}:${verb}`)}
                              onFocus={() => setPlace([row, column])}
                              tabIndex={place[0] === row && place[1] === column ? 0 : -1}
                              data-place={`${row} ${column}`}
                            />
                          </label>
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <details open={value.rules !== ''}>
        <summary>Rules beyond the check boxes</summary>
        <TextField
          label="Rules"
          isOptional
          isCode
          rows={3}
          value={value.rules}
          onChange={(rules) => onChange({ ...value, rules })}
          help={
            <>
              One per line, as <code>deny request:Delete</code> or <code>allow note:Read in wdc</code>. Deny wins.
            </>
          }
        />
      </details>
    </fieldset>
  );
}
