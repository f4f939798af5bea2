import type { Collection, Db, Document } from 'mongodb';

interface Explained {
  /** Stages from the outermost to the innermost. */
  stages: string[];
  indexName: string | undefined;
  direction: string | undefined;
  docsExamined: number;
  keysExamined: number;
  nReturned: number;
}

/** The plan of a query and its execution statistics. */
export async function explain(cursor: { explain(verbosity: string): Promise<Document> }): Promise<Explained> {
  const { queryPlanner, executionStats } = (await cursor.explain('executionStats')) as Record<string, Document>;
  const stages: string[] = [];
  let stage = queryPlanner?.['winningPlan'] as Document | undefined;
  let last: Document = {};
  for (; stage; stage = stage['inputStage'] as Document | undefined) {
    stages.push(stage['stage'] as string);
    last = stage;
  }
  return {
    stages,
    indexName: last['indexName'] as string | undefined,
    direction: last['direction'] as string | undefined,
    docsExamined: executionStats?.['totalDocsExamined'] as number,
    keysExamined: executionStats?.['totalKeysExamined'] as number,
    nReturned: executionStats?.['nReturned'] as number,
  };
}

export interface Ticket {
  _id: number;
  account: string;
  status: string;
  n: number;
  at?: Date;
  tags?: string[];
}

/** Inserts tickets into the collection `tickets`. */
export async function insertTickets(database: Db, count = 1000): Promise<Collection<Ticket>> {
  const rows = database.collection<Ticket>('tickets');
  await rows.insertMany(
    Array.from({ length: count }, (_, i) => ({
      _id: i,
      account: i % 2 === 0 ? 'wdc' : 'acme',
      status: ['open', 'closed', 'waiting'][i % 3] as string,
      n: i,
    })),
  );
  return rows;
}
