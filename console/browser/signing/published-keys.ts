import type { Expected } from './token-check';

/** Fetches the JWKS of a policy from its public address, as receivers do. */
export async function publishedKeys(account: string, policyName: string): Promise<Expected['keys']> {
  const address = `/accounts/${encodeURIComponent(account)}/webhook_policies/${encodeURIComponent(policyName)}/jwks`;
  const answer = await fetch(address, { cache: 'no-store' }).catch(() => undefined);
  if (!answer) return { problem: 'The published keys could not be fetched. Try again.' };
  if (answer.status === 404) return { problem: 'No keys are published: the policy is disabled or was renamed.' };
  if (!answer.ok) return { problem: `The published keys could not be fetched (${answer.status}). Try again.` };
  return ((await answer.json()) as { readonly keys: readonly JsonWebKey[] }).keys;
}
