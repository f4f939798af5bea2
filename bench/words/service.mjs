// The graph service of a checkout, with requests whose titles are sentences.
import { answer } from '../measure.mjs';
import { accountId, loadCompiled, startApp } from '../records/graph-app.mjs';

const { request } = loadCompiled('services/graph/dist/record-types/request.js');
const { createRecordRepository } = loadCompiled('services/graph/dist/store/record.repository.js');
const { created, newRecord } = loadCompiled('services/graph/dist/write/made-record.js');

const words =
  `the a of in on for to and not no is cannot after since new old printer laptop Ethernet network password account mailbox
 server database update installation connection application certificate monitor keyboard telephone meeting room office floor
 building access permission error message slow broken missing expired locked replaced requested restart configuration software
 hardware licence backup storage virtual machine firewall wireless headset docking station invoice supplier employee department
 calendar invitation synchronisation translation document spreadsheet browser bookmark screen colour cartridge paper scanner`
    .split(/\s+/)
    .filter(Boolean);
const chinese = [
  '打印机',
  '无法',
  '连接',
  '网络',
  '笔记本',
  '电脑',
  '密码',
  '过期',
  '邮箱',
  '坏了',
  '会议室',
  '投影仪',
];

/** The same for each id: four to ten words and a number, or for every tenth a text without spaces. */
function subjectOf(id) {
  let state = id * 2_654_435_761;
  const draw = (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return (state >>> 8) % most;
  };
  const from = id % 10 === 0 ? chinese : words;
  const drawn = Array.from({ length: 4 + draw(7) }, () => from[draw(from.length)]);
  return from === chinese ? `${drawn.join('')}${id}` : `${drawn.join(' ')} ${id}`;
}

let connection;
let repository;
let last = 0;

async function start({ mongodbUrl }) {
  const app = await startApp(mongodbUrl, () => {});
  connection = app.connection;
  repository = createRecordRepository(connection, request);
  return { url: app.url, token: app.token };
}

/** Inserts as an import does. */
async function insert({ count }) {
  const moment = { personId: 1, accountId, now: new Date() };
  const records = Array.from({ length: count }, () => {
    last += 1;
    return newRecord(
      last,
      created(request, { subject: subjectOf(last), source: 'bench', sourceID: `${last}` }, moment),
      moment,
    );
  });
  for (let n = 0; n < count; n += 500) await repository.insertMany(records.slice(n, n + 500));
  return {};
}

/** Bytes of the records, as documents and on the disk, and of the index on words; and entries of that index for a record. */
async function sizes() {
  await connection.db.admin().command({ fsync: 1 });
  const { size, storageSize, indexSizes } = await connection.db.command({ collStats: request.plural });
  const [{ entries }] = await connection
    .collection(request.plural)
    .aggregate([{ $group: { _id: null, entries: { $avg: { $size: '$words' } } } }])
    .toArray();
  return { size, storageSize, index: indexSizes.account_words, entries };
}

answer({ start, insert, sizes });
