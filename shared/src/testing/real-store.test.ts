import { databaseAt } from './real-store';

test.each([
  ['mongodb://127.0.0.1:1', 'mongodb://127.0.0.1:1/mine'],
  ['mongodb://a:1,b:2,c:3/?replicaSet=rs3', 'mongodb://a:1,b:2,c:3/mine?replicaSet=rs3'],
  ['mongodb://u:p%40%2F@a:1,b:2/theirs?tls=true', 'mongodb://u:p%40%2F@a:1,b:2/mine?tls=true&authSource=theirs'],
  ['mongodb://u:p@a/?authSource=people', 'mongodb://u:p@a/mine?authSource=people'],
])('the URL of another database at %s is %s', (server, address) => {
  expect(databaseAt(server, 'mine')).toBe(address);
});
