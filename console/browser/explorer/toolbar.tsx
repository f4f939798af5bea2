import { Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Select } from '../design/select';
import { ActionMenu } from '../design/menu';
import { showToast } from '../design/toast';
import type { Draft, Operation } from './question';
import { languages, snippetOf } from './snippets';
import { fragmentOf } from './tabs-store';

/** The actions on the document. */
export function Toolbar({
  draft,
  account,
  operations,
  chosen,
  isRunning,
  runKeys,
  onRun,
  onStop,
  onFormat,
  onOperation,
}: {
  readonly draft: Draft;
  readonly account: string;
  readonly operations: readonly Operation[];
  readonly chosen: Operation | undefined;
  readonly isRunning: boolean;
  readonly runKeys: string;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onFormat: () => void;
  readonly onOperation: (name: string) => void;
}): ReactNode {
  const names = operations.flatMap(({ name }) => name ?? []);
  return (
    <div className="explorer-bar" role="group" aria-label="Document">
      {isRunning ? (
        <Button kind="primary" onPress={onStop}>
          <Square aria-hidden size={14} /> Stop
        </Button>
      ) : (
        <Button kind="primary" onPress={onRun}>
          <Play aria-hidden size={14} /> Run <kbd aria-hidden>{runKeys}</kbd>
        </Button>
      )}
      {operations.length > 1 && (
        <Select
          label="Operation to run"
          isLabelHidden
          value={chosen?.name ?? ''}
          onChange={onOperation}
          options={names.map((name) => ({ value: name, label: name }))}
        />
      )}
      <Button onPress={onFormat}>Format</Button>
      <ActionMenu
        label="Copy as"
        actions={[
          ...languages.map((language) => ({
            id: language,
            label: language,
            note: 'reads the token from TOKEN',
            onAction: () => copy(snippetOf(language, draft, account), `Copied as ${language}.`),
          })),
          {
            id: 'link',
            label: 'Link',
            note: 'opens this query here',
            onAction: () => copy(`${location.origin}${location.pathname}#${fragmentOf(draft)}`, 'Link copied.'),
          },
        ]}
      >
        Copy as
      </ActionMenu>
    </div>
  );
}

const copy = (text: string, done: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showToast(done),
    () => showToast('The browser blocked the copy.', 'bad'),
  );
