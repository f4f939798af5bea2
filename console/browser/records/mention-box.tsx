import './mention.css';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { typedName } from './note-parts';
import type { Mention, Named } from './note-parts';

// Most notes name nobody.
const MentionList = lazy(() => import('./mention-list').then((module) => ({ default: module.MentionList })));

/** What is being typed behind an `@`, and where it begins. */
interface Typed {
  readonly name: string;
  readonly start: number;
  readonly field: HTMLTextAreaElement;
}

/** Around the text area of a note: offers people behind an `@`, and remembers who was chosen. */
export function MentionBox({
  text,
  named,
  isInternal,
  onName,
  children,
}: {
  readonly text: string;
  readonly named: Named;
  readonly isInternal: boolean;
  readonly onName: (text: string, named: Named) => void;
  readonly children: ReactNode;
}): ReactNode {
  const [typed, setTyped] = useState<Typed>();
  const caret = useRef<{ readonly field: HTMLTextAreaElement; readonly at: number }>(undefined);
  useEffect(() => {
    // The text that was set from outside has moved the caret to its end.
    const moved = caret.current;
    caret.current = undefined;
    moved?.field.setSelectionRange(moved.at, moved.at);
  }, [text]);
  const look = ({ target }: { readonly target: EventTarget }): void => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    const { value, selectionStart: end, selectionEnd } = target;
    const name = end === selectionEnd ? typedName(value.slice(0, end)) : undefined;
    const isNew = name !== undefined && named[name] === undefined;
    setTyped(isNew ? { name, start: end - name.length, field: target } : undefined);
  };
  const take = (person: Mention, address: string): void => {
    if (!typed) return;
    const { start, name, field } = typed;
    const isOther = named[person.name] !== undefined && named[person.name]?.id !== person.id;
    // The text tells two people of one name apart.
    const label = isOther ? `${person.name} (${address})` : person.name;
    const behind = text.slice(start + name.length);
    const space = /^\s/.test(behind) ? '' : ' ';
    caret.current = { field, at: start + label.length + 1 };
    setTyped(undefined);
    onName(`${text.slice(0, start)}${label}${space}${behind}`, { ...named, [label]: person });
  };
  return (
    <div
      className="mention-box"
      onInput={look}
      onClick={look}
      onKeyUp={(event) => /^(Arrow(Left|Right)|Home|End)$/.test(event.key) && look(event)}
      onBlur={() => setTyped(undefined)}
    >
      {children}
      {typed && (
        <Suspense>
          <MentionList
            field={typed.field}
            typed={typed.name}
            isInternal={isInternal}
            onTake={take}
            onClose={() => setTyped(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
