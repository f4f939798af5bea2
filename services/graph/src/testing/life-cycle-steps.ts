import { memberName } from '@itsm/shared/declared/names';
import { moves } from '../record-types/life-cycle';
import type { Move } from '../record-types/life-cycle';
import { titleField } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import type { Client } from './start-graph';

export interface Made {
  readonly id: number;
  readonly nodeID: string;
}

/** Makes records as an administrator, and moves them by either edge. */
export function lifeCycleSteps(administrator: Client) {
  let titles = 0;
  let project: Promise<Made> | undefined;
  const make = async (plural: string, body: object): Promise<Made> =>
    (await administrator.rest('post', `/v1/${plural}`, body).expect(201)).body as Made;

  return {
    make,
    /** A record of the type with a title of its own, one word long. */
    async makeOne(type: RecordType, more: object = {}): Promise<Made & { readonly title: string }> {
      const title = `Zebra${(titles += 1)}x`;
      if (type.name === 'project_task') project ??= make('projects', { subject: 'Parent' });
      const needs = type.name === 'project_task' ? { project_id: (await project)?.id } : {};
      const given = type.name === 'sla' ? { provider_id: 'wdc', customer_id: 'wdc' } : {};
      return { ...(await make(type.plural, { [titleField(type)]: title, ...needs, ...given, ...more })), title };
    },
    /** Rejects a move that is refused. */
    moveBy: {
      async REST(type: RecordType, { id }: Made, move: Move, client = administrator): Promise<void> {
        const { status, text } = await client.rest('post', `/v1/${type.plural}/${id}/${move}`);
        if (status !== 200) throw new Error(text);
      },
      async GraphQL(type: RecordType, { nodeID }: Made, move: Move, client = administrator): Promise<void> {
        const member = memberName(type);
        const mutation = `${member}${move.charAt(0).toUpperCase()}${move.slice(1)}`;
        const document = `mutation ($input: RecordLifeCycleInput!) { ${mutation}(input: $input) { ${member} { lifeCycleState } errors { message } } }`;
        const payload = await client.ask<Record<string, { lifeCycleState: string } | null>>(mutation, document, {
          input: { id: nodeID },
        });
        if (payload[member]?.lifeCycleState !== moves[move]) throw new Error(JSON.stringify(payload));
      },
    },
  };
}
