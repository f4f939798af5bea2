import { extensionActivated } from '@itsm/shared/contracts/ui-extensions';
import type { ExtensionActivated } from '@itsm/shared/contracts/ui-extensions';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { sharedFieldsOf } from '../contents/form-definition';
import type { Extension } from './extension';

/** The message about the active version as it is after the write of `version`; undefined when there is none. */
export function activeMessage(
  { id, accountId, name, disabled, active }: Pick<Extension, 'id' | 'accountId' | 'name' | 'disabled' | 'active'>,
  version: number,
): OutboxEntry | undefined {
  if (!active) return undefined;
  const fields = [...sharedFieldsOf(active.content.formDefinition)];
  const message: ExtensionActivated = { id, accountId, name, disabled, fields, version };
  return outboxEntry(extensionActivated, message, `${id}.${version}`);
}

/** Whether others have to learn of the change: another version is active, or an active one has another name or state. */
export const isAnnounced = (before: Extension | undefined, after: Extension): boolean =>
  after.active !== null &&
  (before?.active?.id !== after.active.id || before.name !== after.name || before.disabled !== after.disabled);
