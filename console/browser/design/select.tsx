import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { Label, Notes, fieldAttributes } from './field';
import type { FieldProperties } from './field';
import { Labelled } from './labelled';

/** An option; `note` is a second line below its label. */
export interface Option<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
}

/** A choice of few, which are all visible at once. */
export function Select<T extends string>({
  value,
  onChange,
  options,
  isLabelHidden = false,
  ...field
}: FieldProperties & {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly options: readonly Option<T>[];
  /** For a select whose context already says the same. */
  readonly isLabelHidden?: boolean;
}): ReactNode {
  return (
    <Aria.Select
      {...fieldAttributes(field)}
      value={value}
      placeholder="Choose one"
      onChange={(key) => onChange(key as T)}
      aria-label={isLabelHidden ? field.label : undefined}
    >
      {!isLabelHidden && <Label {...field} />}
      <Aria.Button className="input choice-button">
        <Aria.SelectValue>{({ defaultChildren }) => defaultChildren}</Aria.SelectValue>
        <ChevronDown aria-hidden size={16} />
      </Aria.Button>
      <Notes {...field} />
      <Aria.Popover className="popover">
        <Aria.ListBox className="options" items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => <ChoiceItem option={option} />}
        </Aria.ListBox>
      </Aria.Popover>
    </Aria.Select>
  );
}

/** An option in the list. */
export function ChoiceItem({ option }: { readonly option: Option }): ReactNode {
  return (
    <Aria.ListBoxItem className="option" id={option.value} textValue={option.label}>
      <Labelled label={option.label} note={option.note} />
    </Aria.ListBoxItem>
  );
}
