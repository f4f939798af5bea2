import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { isStaff } from '../api/roles';
import { Labelled } from '../design/labelled';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import type { Mention } from './note-parts';

const document = graphql(`
  query MentionChoices($query: String) {
    all: people(first: 100, filter: { disabled: false }, order: [{ field: name }]) {
      nodes {
        number
        name
        primaryEmail
        roles
      }
    }
    found: people(first: 20, filter: { disabled: false, query: $query }) {
      nodes {
        number
        name
        primaryEmail
        roles
      }
    }
  }
`);

const mostShown = 8;

/** The people who match what is typed. The focus stays in the text; its keys choose. */
export function MentionList({
  field,
  typed,
  isInternal,
  onTake,
  onClose,
}: {
  readonly field: HTMLTextAreaElement;
  readonly typed: string;
  readonly isInternal: boolean;
  readonly onTake: (person: Mention, address: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { account, session } = useAccount();
  const id = useId();
  const settled = useDebounced(typed, 250);
  const { data } = useDocument(document, { query: settled === '' ? null : settled }, account);
  const people = new Map(
    [...(data?.data.all?.nodes ?? []), ...(data?.data.found?.nodes ?? [])].map((one) => [one.number, one]),
  );
  const words = typed.toLowerCase().split(' ');
  const matching = [...people.values()]
    .filter(({ name, primaryEmail }) => words.every((word) => `${name} ${primaryEmail}`.toLowerCase().includes(word)))
    // Others do not see it. Who does not work with all records does not see the roles of others either.
    .filter((person) => !isInternal || isStaff(person))
    .filter(({ number }) => String(number) !== numberOf(session.person.id))
    .slice(0, mostShown);
  const [wanted, setWanted] = useState(0);
  useEffect(() => setWanted(0), [typed]);
  const active = Math.min(wanted, matching.length - 1);
  const optionId = (index: number): string => `${id}-${index}`;
  const take = (index: number): void => {
    const person = matching[index];
    if (person) onTake({ id: person.number, name: person.name }, person.primaryEmail);
  };
  const isOpen = matching.length > 0;

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setWanted((active + 1) % matching.length),
    ArrowUp: () => setWanted((active + matching.length - 1) % matching.length),
    Enter: () => take(active),
    Tab: () => take(active),
    Escape: onClose,
  };
  const act = useRef<(event: KeyboardEvent) => void>(() => undefined);
  act.current = (event) => {
    const action = keys[event.key];
    if (!isOpen || !action || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing)
      return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => act.current(event);
    field.addEventListener('keydown', listen);
    return () => field.removeEventListener('keydown', listen);
  }, [field]);

  useEffect(() => {
    if (!isOpen) return;
    const attributes = {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': id,
      'aria-activedescendant': optionId(active),
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    window.document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
    return () => Object.keys(attributes).forEach((name) => field.removeAttribute(name));
  }, [field, isOpen, active]);

  return (
    <>
      {isOpen && (
        <div className="popover mention-list">
          <div className="options" role="listbox" id={id} aria-label="People to name">
            {matching.map(({ number, name, primaryEmail }, index) => (
              <div
                key={number}
                id={optionId(index)}
                role="option"
                className="option"
                aria-selected={index === active}
                data-focused={index === active || undefined}
                // The focus stays in the text.
                onPointerDown={(event) => event.preventDefault()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(index)}
              >
                <Labelled label={name} note={primaryEmail} />
              </div>
            ))}
          </div>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {isOpen && `${matching.length} ${matching.length === 1 ? 'person' : 'people'}. Enter takes the marked one.`}
      </p>
    </>
  );
}
