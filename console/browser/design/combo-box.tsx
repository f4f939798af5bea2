import { ChevronDown } from 'lucide-react';
import { useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { Label, Notes, fieldAttributes } from './field';
import type { FieldProperties } from './field';
import { meantBy } from './meant-option';
import { ChoiceItem } from './select';
import type { Option } from './select';

/** A choice of many, found by typing; options are grouped under headings. `value` is '' while nothing is chosen. */
export function ComboBox({
  value,
  onChange,
  onSearch,
  groups,
  isLoading = false,
  placeholder,
  autoFocus = false,
  ...field
}: FieldProperties & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called with the typed text, when options are fetched by it. */
  readonly onSearch?: (text: string) => void;
  readonly groups: readonly { readonly title: string; readonly options: readonly Option[] }[];
  readonly isLoading?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}): ReactNode {
  const awaited = useRef<string>(undefined);
  const take = (typed: string): void => {
    const meant = meantBy(
      typed,
      groups.flatMap(({ options }) => options),
      isLoading,
    );
    if (meant !== undefined && meant.value !== value) onChange(meant.value);
  };
  // Somebody who knows the name presses Enter before its options are there.
  useEffect(() => {
    if (isLoading || awaited.current === undefined) return;
    const typed = awaited.current;
    awaited.current = undefined;
    take(typed);
  });
  return (
    <Aria.ComboBox
      {...fieldAttributes(field)}
      value={value === '' ? null : value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      onInputChange={onSearch}
      menuTrigger="focus"
      // Options may arrive after the list was opened.
      allowsEmptyCollection
      autoFocus={autoFocus}
    >
      <Label {...field} />
      <div className="combo">
        <Aria.Input
          className="input"
          placeholder={placeholder}
          onKeyDownCapture={({ key, currentTarget }) => {
            awaited.current = key === 'Enter' && isLoading ? currentTarget.value : undefined;
            // The arrow keys have named an option otherwise.
            const isTyped = key === 'Enter' && !currentTarget.hasAttribute('aria-activedescendant');
            if (key === 'Tab' || isTyped) take(currentTarget.value);
          }}
          onBlurCapture={({ relatedTarget, currentTarget }) => {
            const isInList = relatedTarget instanceof Element && relatedTarget.closest('.popover') !== null;
            if (!isInList) take(currentTarget.value);
          }}
        />
        <Aria.Button>
          <ChevronDown aria-hidden size={16} />
        </Aria.Button>
      </div>
      <Notes {...field} />
      <OpenWhilePageScrolls>
        <Aria.Popover className="popover">
          <Aria.ListBox
            className="options"
            renderEmptyState={() => <span className="option muted">{isLoading ? 'Loading…' : 'Nothing matches.'}</span>}
          >
            {groups.map((group) => (
              <Aria.ListBoxSection key={group.title} id={group.title}>
                <Aria.Header className="option-group">{group.title}</Aria.Header>
                {group.options.map((option) => (
                  <ChoiceItem key={option.value} option={option} />
                ))}
              </Aria.ListBoxSection>
            ))}
          </Aria.ListBox>
        </Aria.Popover>
      </OpenWhilePageScrolls>
    </Aria.ComboBox>
  );
}

/**
 * react-aria closes the list when anything around the field scrolls. A field below the fold is scrolled into view when it
 * gets the focus, which opens the list; the scroll event follows, and would close it again. The list need not close when
 * the page scrolls: its position is in the page, so it moves with its field.
 */
function OpenWhilePageScrolls({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useContext(Aria.ComboBoxStateContext);
  if (state === null) return children;
  const close = (): void => {
    if (!isPageScrolling()) state.close();
  };
  return <Aria.OverlayTriggerStateContext value={{ ...state, close }}>{children}</Aria.OverlayTriggerStateContext>;
}

/** Whether the code runs in a listener of the page's scroll event: react-aria does not say why it closes. */
const isPageScrolling = (): boolean => window.event?.type === 'scroll' && window.event.target === document;
