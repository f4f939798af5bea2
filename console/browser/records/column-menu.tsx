import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { Button, IconButton } from '../design/button';
import { Checkbox } from '../design/field';
import { PopoverButton } from '../design/popover';
import { useAccount } from '../frame/account';
import { choosableColumns, columnsIn, withColumns } from './chosen-columns';
import type { ColumnField } from './chosen-columns';
import { fieldsFor } from './editing';
import { withParts } from './list-search';
import type { ListSearch } from './list-search';

interface Chosen {
  readonly type: TypeDescription;
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

/** Chooses and orders the columns of a list beside its title. */
export function ColumnMenu(chosen: Chosen): ReactNode {
  return (
    <PopoverButton
      label="Columns"
      face={
        <>
          <Columns3 aria-hidden size={16} /> Columns
        </>
      }
    >
      <Choices {...chosen} />
    </PopoverButton>
  );
}

function Choices({ type, search, onChange }: Chosen): ReactNode {
  const { session } = useAccount();
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string>(undefined);
  const { columns } = columnsIn(type, search);
  const shown = fieldsFor(session, columns);
  const others = fieldsFor(session, choosableColumns(type)).filter(({ name }) => !names(shown).includes(name));
  const set = (next: readonly ColumnField[]): void => onChange(withColumns(type, search, next));
  const move = (field: ColumnField, step: 1 | -1, button: string): void => {
    const rest = shown.filter((one) => one !== field);
    const at = Math.min(Math.max(shown.indexOf(field) + step, 0), rest.length);
    moved.current = button;
    set([...rest.slice(0, at), field, ...rest.slice(at)]);
  };
  // A row that is put elsewhere loses the focus.
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[aria-label="${moved.current}"]`)?.focus();
    moved.current = undefined;
  });
  return (
    <>
      <ul ref={list} className="column-choices">
        {[...shown, ...others].map((field) => {
          const isShown = shown.includes(field);
          const [up, down] = [`Move ${field.label} up`, `Move ${field.label} down`];
          return (
            <li key={field.name}>
              <Checkbox
                isSelected={isShown}
                onChange={(isOn) => set(isOn ? [...shown, field] : shown.filter((one) => one !== field))}
              >
                {field.label}
              </Checkbox>
              {isShown && (
                <span className="column-moves">
                  <IconButton label={up} onPress={() => move(field, -1, up)}>
                    <ArrowUp size={16} />
                  </IconButton>
                  <IconButton label={down} onPress={() => move(field, 1, down)}>
                    <ArrowDown size={16} />
                  </IconButton>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {search['cols'] !== undefined && (
        <div className="bar">
          <Button kind="plain" onPress={() => onChange(withParts(search, { cols: '' }))}>
            Reset
          </Button>
        </div>
      )}
    </>
  );
}

const names = (fields: readonly ColumnField[]): readonly string[] => fields.map(({ name }) => name);
