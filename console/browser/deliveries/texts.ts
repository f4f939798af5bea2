/** The meaning of each error class, in the words of the docs, and what helps. */
export const errorTexts: Readonly<Record<string, { readonly sentence: string; readonly advice: string }>> = {
  http_status: {
    sentence: 'The receiver answered with a status that is no success.',
    advice:
      'Answer with a status from 200 to 299 first and do the work afterwards. The log of the receiver says why it refused.',
  },
  redirect: {
    sentence: 'The receiver answered with a redirect, which is not followed.',
    advice:
      'Register the address that the redirect leads to. Often it is only a slash at the end, or https instead of http.',
  },
  timeout: {
    sentence: 'No complete answer within 10 seconds.',
    advice: 'Put the call into a queue of yours, answer 202 at once and do the work afterwards.',
  },
  dns: {
    sentence: 'The host name has no address.',
    advice: 'Look at the spelling of the host in the address, and at its entry in the DNS.',
  },
  name_server: {
    sentence: 'Our name server gave no answer.',
    advice: 'There is nothing to do for you: the next attempt asks again.',
  },
  connect: {
    sentence: 'The connection could not be made.',
    advice: 'See whether the receiver runs, listens on this port, and is reached from outside through its firewall.',
  },
  tls: {
    sentence: 'The connection could not be secured, as with a bad certificate.',
    advice: 'See whether the certificate is valid, is for this host, and comes with its intermediate certificates.',
  },
  reset: {
    sentence: 'The connection was closed before the answer.',
    advice: 'The receiver, or a proxy before it, gave up: look for crashes, restarts and limits on the size of a body.',
  },
  protocol: {
    sentence: 'The answer is not valid HTTP.',
    advice: 'See what listens on this port: it should speak HTTP/1.1 or HTTP/2.',
  },
  refused_uri: {
    sentence: 'The address is not a valid URI.',
    advice: 'Give the webhook a valid address.',
  },
  refused_scheme: {
    sentence: 'The scheme of the address is not called.',
    advice: 'Give the webhook an address that begins with https.',
  },
  refused_port: {
    sentence: 'The port of the address is not called.',
    advice: 'Have the receiver listen on port 443, 80 or 8443.',
  },
  refused_address: {
    sentence: 'The host is not a public address.',
    advice: 'Addresses of private networks are not called: give the receiver a public one.',
  },
  signing: {
    sentence: 'The body could not be signed with the policy of the webhook.',
    advice: 'Enable the policy again, or choose another one for the webhook. Nothing is sent unsigned instead.',
  },
  internal: {
    sentence: 'A fault of ours kept the call from being made.',
    advice: 'There is nothing to do for you: the next attempt follows by itself.',
  },
  lost: {
    sentence: 'The process that made the call was not heard of again.',
    advice:
      'The receiver may have got the call all the same. The next one has the same X-Service-Delivery, so that it can tell.',
  },
};

/** Why a delivery was given up or not sent. */
export const stopTexts: Readonly<Record<string, string>> = {
  unverified: 'The address of the webhook was not verified when the event happened.',
  disabled: 'The webhook was disabled.',
  deleted: 'The webhook was deleted.',
  uri_changed: 'The webhook got another address.',
  verified: 'The address was verified meanwhile.',
  verification_replaced: 'A newer verification took its place.',
};

/** The maximum number of attempts, including the first. */
export const mostAttempts = 10;
