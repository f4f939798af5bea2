/** What kind of failure an attempt ended with; stable, unlike the sentence beside it. */
export const errorClasses = {
  http_status: 'The receiver answered with a status that is no success.',
  redirect: 'The receiver answered with a redirect, which is not followed.',
  timeout: 'No complete answer within 10 seconds.',
  dns: 'The host name has no address.',
  name_server: 'Our name server gave no answer.',
  connect: 'The connection could not be made.',
  tls: 'The connection could not be secured, as with a bad certificate.',
  reset: 'The connection was closed before the answer.',
  protocol: 'The answer is not valid HTTP.',
  refused_uri: 'The address is not a valid URI.',
  refused_scheme: 'The scheme of the address is not called.',
  refused_port: 'The port of the address is not called.',
  refused_address: 'The host is not a public address.',
  signing: 'The body could not be signed with the policy of the webhook.',
  internal: 'A fault of ours kept the call from being made.',
  lost: 'The process that made the call was not heard of again.',
} as const;

export type ErrorClass = keyof typeof errorClasses;
