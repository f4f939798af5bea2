/** The texts of the webhook screens. */
export const texts = {
  list: {
    lead: 'Each webhook calls your address when its event happens.',
    well: 'All recent calls succeeded.',
    unverified: 'Waiting for verification.',
    none: 'No webhooks yet.',
    noneYet:
      'Choose an event and the address to call each time it happens. The receiver is asked first whether it wants the calls. The same from a terminal:',
    curl: (baseUrl: string, account: string) =>
      `curl ${baseUrl}/v1/webhooks -H "Authorization: Bearer $TOKEN" -H 'X-Service-Account: ${account}' \\
  -H 'Content-Type: application/json' \\
  -d '{"event":"request.create","uri":"https://receiver.example/hook"}'`,
  },
  page: {
    missing: 'It may have been deleted. Its deliveries stay in the log for 30 days.',
    deleting:
      'It is no longer called, and waiting deliveries are stopped. Its deliveries stay in the log for 30 days. This cannot be undone; to pause it, disable it instead.',
    unverified: 'Waiting for the receiver to open the callback',
    verificationUnderWay: 'The verification is being sent. This page updates automatically.',
    expired: 'The verification code has expired',
    expiredMore: 'A code is valid for 24 hours. Enter the address again to get a new one.',
    answering: 'A receiver should answer with 200 to 299 within 10 seconds, and do the work afterwards.',
    disabled: 'It is not called. Events are kept for 30 days and can be sent once it is active.',
    skipped: 'They are kept for 30 days. Send them when you are ready.',
  },
  form: {
    lead: 'Choose an event and the address to call. The receiver is asked first whether it wants the calls.',
    address: 'https on port 443, 80 or 8443. A user name and password in it are sent as HTTP Basic.',
    masked: 'The password is hidden. It stays the same unless you change it.',
    signing: 'A signature proves to the receiver who sent the call.',
    mails: 'E-mail addresses, separated by commas. Defaults to every administrator.',
    stops: 'The new address must be verified.',
    stopsMore: 'Nothing is delivered until its receiver opens the callback; events are kept meanwhile.',
  },
};
