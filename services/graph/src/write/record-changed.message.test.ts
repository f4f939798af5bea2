import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { request } from '../record-types/request';
import { nodeId, startGraph } from '../testing/start-graph';
import { recordEvents } from './record-changed.message';
import { created, newRecord } from './made-record';

test('a change by the platform itself is published without a person', () => {
  const moment = { personId: null, accountId: 'wdc', now: new Date('2026-03-18T19:04:06Z') };
  const after = newRecord(7, created(request, { subject: 's' }, moment), moment);
  const shared = { trail: { note: undefined, auditLine: undefined }, references: new Map(), visibleTo: ['wdc'] };
  const write = { type: request, before: undefined, after, actor: null };
  expect(recordEvents(write, 'test.example', shared)).toMatchObject([{ event: 'request.create', person: null }]);
});

test('a disabled team is published as such, with its source ID and account', async () => {
  const [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  const graph = await startGraph(mongo, keys);
  const admin = graph.as('account_administrator', { sub: '2' });
  await graph.publishAccount({ id: 'wdc', name: 'Widget Data Center' });
  const team = await graph.app.seed.ensureTeam('wdc', {
    source: 'hr',
    sourceID: 't1',
    name: 'Old team',
    memberIds: [],
  });
  const id = nodeId('Team', team.id);
  const disable = `mutation { teamUpdate(input: { id: "${id}", disabled: true }) { errors { message } } }`;
  expect(await admin.ask('teamUpdate.errors', disable)).toEqual([]);
  const create = `mutation { requestCreate(input: { subject: "s", teamId: "${id}" }) { errors { message } } }`;
  expect(await admin.ask('requestCreate.errors', create)).toEqual([]);
  const published = await waitUntil('the event', () => graph.events.find(({ event }) => event === 'request.create'));
  expect(published.payload.team).toEqual({
    id: team.id,
    nodeID: id,
    name: 'Old team',
    sourceID: 't1',
    disabled: true,
    account: { id: 'wdc', name: 'Widget Data Center' },
  });
  await graph.stop();
  await keys.close();
  await mongo.close();
});
