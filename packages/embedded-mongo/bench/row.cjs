/** The rows of the benchmark, in both of its processes. */
exports.row = (i) => ({
  _id: i,
  account: `account-${i % 20}`,
  number: i,
  subject: `The printer on floor ${i % 50} is on fire again`,
  status: ['open', 'assigned', 'waiting', 'closed'][i % 4],
  requestedBy: i % 1000,
  createdAt: new Date(1_700_000_000_000 + i * 1000),
  updatedAt: new Date(1_700_000_000_000 + i * 2000),
  note: { text: 'x'.repeat(200), internal: false },
});
