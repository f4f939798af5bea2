import { Router } from 'express';
import type { RequestHandler } from 'express';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import type { Graph } from '../supergraph/module';
import { createFixedText } from '../transport/fixed-text';
import type { FixedText } from '../transport/fixed-text';
import type { DescribedTypes } from './described-types';

interface Needs {
  readonly described: DescribedTypes;
  readonly graph: Pick<Graph, 'present'>;
}

type Types = ReturnType<DescribedTypes['present']>;

/**
 * `GET /v1/types` and `/v1/types/:name`: what the types of all services are, in words; `GET /v1/enums`: the values of
 * their choices. Public, and the same for every caller, as it tells no data.
 */
export function createTypesRoutes({ described, graph }: Needs): Router {
  const router = Router();
  const texts = new WeakMap<object, FixedText>();
  const send =
    (select: (types: Types, name: string) => object | undefined): RequestHandler =>
    (req, res) => {
      const found = select(described.present(graph.present()?.schema), String(req.params['name']));
      if (found === undefined) throw notFound();
      // Any cache may keep it, and asks each time whether it is still true: an upgrade changes it.
      res.set('Cache-Control', 'public, no-cache').type('json');
      const text = texts.get(found) ?? createFixedText(JSON.stringify(found));
      texts.set(found, text);
      text.send(req, res);
    };
  router
    .route('/v1/types')
    .get(send((types) => types))
    .all(methodNotAllowed('GET'));
  router
    .route('/v1/types/:name')
    .get(send((types, name) => types.find((type) => type.name === name)))
    .all(methodNotAllowed('GET'));
  const enums = new WeakMap<Types, object>();
  router
    .route('/v1/enums')
    .get(
      send((types) => {
        const made = enums.get(types) ?? enumsOf(types);
        enums.set(types, made);
        return made;
      }),
    )
    .all(methodNotAllowed('GET'));
  return router;
}

/** The names that a time zone may have, of the IANA database. */
const timeZones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((name) => ({ id: name, txt: name }));

/** The values of each choice, as in REST: `{ "request.status": [{ "id": "assigned", "txt": "Assigned" }] }`. */
const enumsOf = (types: Types): object => ({
  time_zone: timeZones,
  ...Object.fromEntries(
    types.flatMap(({ name, fields }) =>
      fields.flatMap(({ rest, words }) =>
        rest && words ? [[`${name}.${rest}`, words.map(({ value, label }) => ({ id: value, txt: label }))]] : [],
      ),
    ),
  ),
});
