import type { Scene } from './scene';

const creation = `mutation ($subject: String!, $grace: ID!, $note: String) { requestCreate(input: { subject: $subject, note: $note,
  teamId: "1", requestedById: $grace, requestedForId: $grace }) { request { number } errors { message } } }`;
interface Created {
  readonly requestCreate: { readonly request: { readonly number: number } };
}
interface People {
  readonly people: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
}

/** Requests of the end user of a scene, which wait for the service desk. */
export async function requestsOf({ administrator }: Scene) {
  const { people } = await administrator.graphql<People>('{ people(first: 50) { nodes { id name } } }', {});
  const grace = people.nodes.find(({ name }) => name === 'Grace Lin')?.id ?? '';
  return {
    /** Returns the number of the new request. */
    async ask(subject: string, note?: string): Promise<number> {
      const { requestCreate } = await administrator.graphql<Created>(creation, { subject, grace, note });
      return requestCreate.request.number;
    },
    read: (number: number) => administrator.get(`/v1/requests/${number}`),
  };
}
