/** Suites that `npm run test:warp` leaves out, each with its reason. A bound of real time is no reason. */
module.exports = {
  'gateway/src/transport/deadline.test.ts': 'The deadline of a call is its subject, and passes in real time.',
  'services/graph/src/killed-process.test.ts': 'It starts processes, whose clocks are the machine’s.',
  'services/webhook-delivery/src/attempts/killed-process.test.ts':
    'It starts processes, whose clocks are the machine’s.',
  'services/webhook-delivery/src/signing/receiver.test.ts': 'It starts receivers, whose clocks are the machine’s.',
};
