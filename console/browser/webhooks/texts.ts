/** The texts of the webhook screens. */
export const texts = {
  list: {
    lead: 'Each calls an address of yours when one event happens.',
    well: 'Every call of late was taken.',
    unverified: 'Waits for its receiver.',
    none: 'A webhook calls an address of yours when something happens in this account.',
    noneYet:
      'Name an event and an address; the platform asks the receiver whether it wants the calls, and then calls it each time. The same from a terminal:',
    curl: (baseUrl: string, account: string) =>
      `curl ${baseUrl}/v1/webhooks -H "Authorization: Bearer $TOKEN" -H 'X-Service-Account: ${account}' \\
  -H 'Content-Type: application/json' \\
  -d '{"event":"request.create","uri":"https://receiver.example/hook"}'`,
  },
  page: {
    missing: 'It may have been deleted. Deliveries of the last 30 days name it all the same.',
    deleting:
      'Nothing is delivered any more, and what waits is given up. Its deliveries stay in the log for 30 days. It cannot be brought back; disabling it can be undone.',
    unverified: 'Waiting for the receiver to open the callback',
    verificationUnderWay: 'The verification is on its way. This page changes by itself.',
    expired: 'The time to open the callback has passed',
    expiredMore: 'A code is good for 24 hours. Give the address again, and a new one is sent.',
    answering: 'A receiver answers with 200 to 299 within 10 seconds, and does its work afterwards.',
    disabled: 'It is not called. What happens meanwhile is kept for 30 days, and can be delivered once it is active.',
    skipped: 'They are kept for 30 days and go out when you say so.',
  },
  form: {
    lead: 'Name an event and the address to call. The receiver is asked first whether it wants the calls.',
    address: 'Under https, on port 443, 80 or 8443. A user name and password in it are sent as a Basic header.',
    masked: 'The password in it is hidden. Left as it is, it does not change.',
    signing: 'A signed call proves to the receiver that it comes from here.',
    mails: 'E-mail addresses, separated by commas; every administrator when it is left empty.',
    stops: 'The new address must prove itself.',
    stopsMore: 'Until its receiver has opened the callback nothing is delivered; what happens meanwhile is kept.',
  },
};
