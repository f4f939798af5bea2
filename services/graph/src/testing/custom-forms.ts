import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { FormField } from '@itsm/shared/contracts/ui-extensions';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { nodeId, startGraph } from './start-graph';
import type { Client } from './start-graph';

/** A field of a form; what is not given is as for most. */
export type GivenField = Partial<FormField> & { readonly id: string };

export const fieldOf = (given: GivenField): FormField => ({
  type: 'text',
  label: `Label of ${given.id}`,
  required: false,
  ...given,
});

/** The node id of the UI extension. */
export const formId = (id: number): string => nodeId('UiExtension', id);

export interface RequestPayload {
  readonly request: { readonly id: string; readonly requestId: string; readonly customFields: unknown } | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

const shown = 'request { id requestId customFields { id value } } errors { message path }';

/** The service with an administrator of `wdc` and one of its neighbour, and requests with custom fields. */
export async function startForms() {
  const [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  const graph = await startGraph(mongo, keys);
  const admin = graph.as('account_administrator', { sub: '2', name: 'Ada Administrator' });
  const neighbour = graph.as('account_administrator', { sub: '9' }, 'neighbour');
  for (const id of ['wdc', 'neighbour']) await graph.publishAccount({ id });
  await graph.publishPerson({ id: 2, name: 'Ada Administrator' });
  let forms = 0;
  const mutate =
    (name: 'requestCreate' | 'requestUpdate', type: string, more: object) =>
    (input: object, as: Client = admin): Promise<RequestPayload> =>
      as.ask(name, `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`, {
        input: { ...more, ...input },
      });
  return {
    graph,
    admin,
    neighbour,
    create: mutate('requestCreate', 'RequestCreateInput', { subject: 'S' }),
    update: mutate('requestUpdate', 'RequestUpdateInput', {}),
    /** Announces a form of its own; returns its id. */
    publish: async (fields: readonly GivenField[], more: object = {}): Promise<number> => {
      forms += 1;
      await graph.publishForm({ id: forms, fields: fields.map(fieldOf), ...more });
      return forms;
    },
    async close() {
      await graph.stop();
      await keys.close();
      await mongo.close();
    },
  };
}

export type RunningForms = Awaited<ReturnType<typeof startForms>>;
