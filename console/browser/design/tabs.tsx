import './tabs.css';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';

/** One of several views of a place; only the selected one is mounted. */
export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}): ReactNode {
  return (
    <Aria.Tabs className="tabs" selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <Aria.TabList className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Aria.Tab key={tab.id} id={tab.id} className="tab">
            {tab.label}
          </Aria.Tab>
        ))}
      </Aria.TabList>
      {tabs.map((tab) => (
        <Aria.TabPanel key={tab.id} id={tab.id} className="tab-panel">
          {tab.content}
        </Aria.TabPanel>
      ))}
    </Aria.Tabs>
  );
}
