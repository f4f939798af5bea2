import { queues } from '@itsm/shared/contracts/topology';
import { extensionActivated } from '@itsm/shared/contracts/ui-extensions';
import { on } from '@itsm/shared/messages/broker/broker';
import type { Module, Platform } from '@itsm/shared/running/module';
import { createFormRepository } from './form.repository';
import type { FormRepository } from './form.repository';

export interface Forms extends Module {
  readonly store: FormRepository;
}

export function createForms({ connection }: Platform): Forms {
  const store = createFormRepository(connection);
  // Idempotent by the version in the message.
  const handlers = [on(extensionActivated, (extension) => store.save(extension))];
  return { store, consumers: [{ queue: queues.recordForms, handlers }] };
}
