/** The meaning of each error class, in the words of the docs, and what helps. */
export const errorTexts: Readonly<Record<string, { readonly sentence: string; readonly advice: string }>> = {
  http_status: {
    sentence: 'The receiver answered with a status that is no success.',
    advice:
      'Answer with a status from 200 to 299 first, and do the work afterwards. The receiver’s log says why it refused.',
  },
  redirect: {
    sentence: 'The receiver answered with a redirect and its Location, which is not followed.',
    advice:
      'Register the address that it redirects to. Often only a slash at the end is missing, or https instead of http.',
  },
  timeout: {
    sentence: 'No complete answer within 10 seconds.',
    advice: 'Queue the call, answer 202 at once, and do the work afterwards.',
  },
  dns: {
    sentence: 'The host name has no address.',
    advice: 'Check the spelling of the host, and its DNS entry.',
  },
  name_server: {
    sentence: 'Our name server gave no answer.',
    advice: 'Nothing to do on your side: the next attempt asks again.',
  },
  connect: {
    sentence: 'The connection could not be made.',
    advice: 'Check that the receiver runs, listens on this port, and can be reached through its firewall.',
  },
  tls: {
    sentence: 'The connection could not be secured, as with a bad certificate.',
    advice: 'Check that the certificate is valid, matches the host, and includes its intermediate certificates.',
  },
  reset: {
    sentence: 'The connection was closed before the answer.',
    advice: 'The receiver or a proxy closed it: check for crashes, restarts and limits on the size of a body.',
  },
  protocol: {
    sentence: 'The answer is not valid HTTP.',
    advice: 'Check what listens on this port: it must speak HTTP/1.1 or HTTP/2.',
  },
  refused_uri: {
    sentence: 'The address is not a valid URI.',
    advice: 'Give the webhook a valid address.',
  },
  refused_scheme: {
    sentence: 'The scheme of the address is not called.',
    advice: 'Change the address of the webhook to https.',
  },
  refused_port: {
    sentence: 'The port of the address is not called.',
    advice: 'Have the receiver listen on port 443, 80 or 8443.',
  },
  refused_address: {
    sentence: 'The host is not a public address.',
    advice: 'Private addresses are not called: give the receiver a public one.',
  },
  signing: {
    sentence: 'The body could not be signed with the policy of the webhook.',
    advice: 'Enable the policy, or choose another one for the webhook. Nothing is sent unsigned.',
  },
  internal: {
    sentence: 'A fault of ours kept the call from being made.',
    advice: 'Nothing to do on your side: the next attempt follows automatically.',
  },
  lost: {
    sentence: 'The process that made the call was not heard of again.',
    advice: 'The receiver may have got the call. The next attempt has the same X-Service-Delivery, so it can tell.',
  },
};

/** Why a delivery was given up or not sent. */
export const stopTexts: Readonly<Record<string, string>> = {
  unverified: 'The address of the webhook was not verified when the event happened.',
  disabled: 'The webhook was disabled.',
  deleted: 'The webhook was deleted.',
  uri_changed: 'The address of the webhook was changed.',
  verified: 'The address was verified meanwhile.',
  verification_replaced: 'A newer verification replaced it.',
};

/** The maximum number of attempts, including the first. */
export const mostAttempts = 10;
