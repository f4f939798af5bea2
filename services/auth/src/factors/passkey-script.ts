import { createHash } from 'node:crypto';

/**
 * The script of pages with passkeys: before such a form is sent, it asks the browser for the passkey. Where scripts or passkeys are
 * not available, these forms stay hidden, and the other forms work.
 */
export const passkeyScript = /* js */ `'use strict';
const supported = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
const ask = (kind, options) => kind === 'create'
  ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.hidden = !supported;
  const answer = form.querySelector('[data-answer]');
  const problem = form.querySelector('[data-problem]');
  form.addEventListener('submit', async (event) => {
    if (answer.value !== '') return;
    event.preventDefault();
    problem.hidden = true;
    try {
      const credential = await ask(form.dataset.passkey, JSON.parse(form.dataset.options));
      answer.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch {
      problem.hidden = false;
    }
  });
}
if (!supported) for (const note of document.querySelectorAll('[data-without-passkeys]')) note.hidden = false;
`;

/** Contains a content hash, so that browsers may cache the file forever. */
export const passkeyScriptPath = `/oauth/passkeys-${createHash('sha256').update(passkeyScript).digest('hex').slice(0, 12)}.js`;
