import { drive, median, startProcess } from '../measure.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';

const show = (line) => process.stdout.write(`${line}\n`);
const all = `id number version account { id } subject category impact priority status team { id name } member { id }
  requestedBy { id } requestedFor { id } problem { id } workflow { id } project { id } desiredCompletionAt timeSpent
  source sourceID completedAt createdAt updatedAt`;

/**
 * CPU of a write by REST, of the graph service and of MongoDB, beside its mutation, in alternating turns: a new request and
 * a change, each answered with the whole record and with its id. `--turns=`, `--count=` writes of each kind in a turn.
 */
export async function run(options) {
  const option = (name, usual) => Number(options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
  const [turns, count] = [option('turns', 9), option('count', 500)];
  const store = await startMongodb(asInCompose);
  const service = await startProcess(new URL('../inserts/service.mjs', import.meta.url));
  const { url, token } = await service.call('start', { mongodbUrl: store.url('writes') });
  const origin = new URL(url).origin;
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-Service-Account': 'bench',
  };
  const cpuOf = async () => (await service.call('cpu')) + (await store.cpu());
  const send = async (address, method, json) => {
    const response = await fetch(origin + address, { method, headers, body: JSON.stringify(json) });
    const body = await response.json();
    if (!response.ok || body.errors) throw new Error(JSON.stringify(body));
    return body;
  };
  const mutate = (verb, selected, input) =>
    send('/graphql', 'POST', {
      query: `mutation ($input: Request${verb}Input!) { request${verb}(input: $input) { request { ${selected} } errors { message } } }`,
      variables: { input },
    });
  const changed = (
    await send('/graphql', 'POST', {
      query: 'mutation { requestCreate(input: { subject: "First" }) { request { number } } }',
    })
  ).data.requestCreate.request.number;
  const subject = () => `Printer ${Math.random()} is on fire`;
  const kinds = {
    'new, the whole record': {
      mutation: () => mutate('Create', all, { subject: subject(), impact: 'low' }),
      rest: () => send('/v1/requests', 'POST', { subject: subject(), impact: 'low' }),
    },
    'new, its id': {
      mutation: () => mutate('Create', 'number', { subject: subject(), impact: 'low' }),
      rest: () => send('/v1/requests?fields=id', 'POST', { subject: subject(), impact: 'low' }),
    },
    'a change, the whole record': {
      mutation: () => mutate('Update', all, { id: String(changed), subject: subject() }),
      rest: () => send(`/v1/requests/${changed}`, 'PATCH', { subject: subject() }),
    },
    'a change, its id': {
      mutation: () => mutate('Update', 'number', { id: String(changed), subject: subject() }),
      rest: () => send(`/v1/requests/${changed}?fields=id`, 'PATCH', { subject: subject() }),
    },
  };
  const used = {};
  for (let turn = 0; turn <= turns; turn += 1)
    for (const [kind, edges] of Object.entries(kinds)) {
      const cpu = {};
      for (const edge of turn % 2 === 0 ? ['mutation', 'rest'] : ['rest', 'mutation']) {
        const before = await cpuOf();
        await drive(Array.from({ length: count }), kind.startsWith('new') ? 4 : 1, edges[edge]);
        await service.call('settle');
        cpu[edge] = ((await cpuOf()) - before) / count;
      }
      // The first turn is a warm-up.
      if (turn > 0) used[kind] = [...(used[kind] ?? []), cpu];
    }
  show(`CPU of service and MongoDB, median of ${turns} turns of ${count}`);
  show('\n| Write | Mutation | REST | Ratio, of turns |\n|---|---:|---:|---|');
  for (const [kind, turnsOf] of Object.entries(used)) {
    const ratios = turnsOf.map(({ rest, mutation }) => rest / mutation).sort((a, b) => a - b);
    const of = (edge) => `${median(turnsOf.map((cpu) => cpu[edge])).toFixed(0)} µs`;
    const span = `${median(ratios).toFixed(2)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
    show(`| ${kind} | ${of('mutation')} | ${of('rest')} | ${span} |`);
  }
  service.stop();
  store.stop();
}
