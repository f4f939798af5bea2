import type { GraphQLSchema } from 'graphql';
import { isInputObjectType, isObjectType } from 'graphql';
import { z } from 'zod';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Runner } from '@itsm/shared/running/module';
import type { ServiceName, ServicePool } from '../transport/upstreams';

/** What the gateway needs of a description; what it does not know is passed on. */
const descriptions = z.array(
  z.looseObject({
    name: z.string(),
    graphqlName: z.string(),
    fields: z.array(
      z.looseObject({
        name: z.string(),
        rest: z.string().optional(),
        input: z.string().optional(),
        has: z.string().optional(),
        words: z.array(z.looseObject({ value: z.string(), label: z.string() })).optional(),
      }),
    ),
  }),
);
export type Described = z.infer<typeof descriptions>[number];

interface Options {
  readonly pools: Readonly<Record<ServiceName, ServicePool>>;
  readonly pollMilliseconds: number;
  readonly logger: Logger;
}

const retryMilliseconds = 250;

export interface DescribedTypes extends Runner {
  /** The types of all services, without fields that `schema` does not have; the same list while nothing changes. */
  present(schema: GraphQLSchema | undefined): readonly Described[];
}

/**
 * The types of each service as it last described them. A service that is away keeps its types; one that has never
 * answered, or that is of a release without descriptions, has none.
 */
export function createDescribedTypes({ pools, pollMilliseconds, logger }: Options): DescribedTypes {
  const answered = new Set<string>();
  const known = new Map<string, { readonly tag: string | undefined; readonly types: readonly Described[] }>();
  const stopping = new AbortController();
  let made: { readonly of: GraphQLSchema | undefined; readonly types: readonly Described[] } | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function ask(name: string, { pool }: ServicePool): Promise<void> {
    const tag = known.get(name)?.tag;
    const { statusCode, headers, body } = await pool.request({
      method: 'GET',
      path: '/v1/types',
      headers: tag === undefined ? {} : { 'if-none-match': tag },
      signal: stopping.signal,
    });
    if (statusCode === 200)
      known.set(name, { tag: headers['etag']?.toString(), types: descriptions.parse(await body.json()) });
    else await body.dump();
    answered.add(name);
    if (statusCode === 404) known.delete(name);
    if (statusCode === 200 || statusCode === 404) made = undefined;
  }

  async function poll(): Promise<void> {
    const asked = Object.entries(pools).map(([name, pool]) =>
      ask(name, pool).catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.debug('a service does not describe its types', { name, error });
      }),
    );
    await Promise.all(asked);
    if (stopping.signal.aborted) return;
    const hasAll = answered.size === asked.length;
    timer = setTimeout(() => void poll(), hasAll ? pollMilliseconds : Math.min(retryMilliseconds, pollMilliseconds));
    timer.unref();
  }

  return {
    present(schema) {
      if (made && made.of === schema) return made.types;
      const types = Object.keys(pools).flatMap((name) => known.get(name)?.types ?? []);
      made = { of: schema, types: types.map((type) => withoutUnserved(type, schema)) };
      return made.types;
    },
    start: () => void poll(),
    stop() {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}

/** While services are upgraded, a description may be newer than the composed schema. */
function withoutUnserved(type: Described, schema: GraphQLSchema | undefined): Described {
  if (!schema) return type;
  const names = new Set(
    ['', 'CreateInput', 'UpdateInput'].flatMap((suffix) => {
      const found = schema.getType(type.graphqlName + suffix);
      return isObjectType(found) || isInputObjectType(found) ? Object.keys(found.getFields()) : [];
    }),
  );
  const isServed = ({ name, has, input }: Described['fields'][number]): boolean =>
    [name, has, input].some((one) => one !== undefined && names.has(one));
  return { ...type, fields: type.fields.filter(isServed) };
}
