import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { EntityAnswer, EntityError } from './entity-request';
import { copyOf, isData, mergeInto, locationsAt, objectsAt, ownMember } from './response-data';
import type { Data, PlanPath } from './response-data';
import type { PlanRun, Step } from './plan-run';
import { compileRequires, simpleKeyIn } from './representations';
import type { Rewrite } from './rewrites';
import type { FetchOperation, Subgraph } from './subgraph';
import type { FitsType } from './type-names';

/**
 * A place in the response where entities are fetched, provided that the `@skip` and `@include` variables have the
 * values in `when`.
 */
export interface FetchedPlace {
  readonly path: PlanPath;
  readonly when: readonly { readonly variable: string; readonly is: boolean }[];
}

export interface EntityFetch {
  readonly places: readonly FetchedPlace[];
  readonly requires: readonly QueryPlanSelectionNode[];
  readonly usedVariables: readonly string[];
  readonly operation: FetchOperation;
  readonly subgraph: Subgraph;
  readonly fits: FitsType;
  readonly rewriteInput: Rewrite | undefined;
  readonly rewriteOutput: Rewrite | undefined;
}

/** An object of the response for which an entity is fetched; `place` is its index among the objects at that path. */
interface Target {
  readonly object: Data;
  readonly pathIndex: number;
  readonly place: number;
  /** The index of its representation in the request; equal representations are sent once. */
  readonly position: number;
}

interface Asked {
  readonly targets: readonly Target[];
  /** JSON texts. */
  readonly representations: readonly string[];
}

/** A step that fetches fields of the objects at all `places`, each entity once (Apollo Federation, "Entities"). */
export function entityFetch(fetch: EntityFetch): Step {
  const gather = createGather(fetch);
  return async (run) => {
    const { targets, representations } = gather(run);
    if (targets.length > 0) add(fetch, targets, await run.due.ask(fetch, representations), run);
  };
}

function add({ places, rewriteOutput }: EntityFetch, targets: readonly Target[], answer: EntityAnswer, run: PlanRun) {
  const paths = places.map(({ path }) => path);
  addErrors(run, paths, { errors: answer.errors, targets });
  addEntities(targets, answer.entities, rewriteOutput);
}

function createGather({ places, requires, fits, rewriteInput }: EntityFetch): (run: PlanRun) => Asked {
  const represent = compileRequires(requires, fits);
  const simple = rewriteInput ? undefined : simpleKeyIn(requires);

  /** The representation as JSON text; undefined when the object has another type or lacks its key. */
  function textOf(object: Data): string | undefined {
    const representation = represent(object);
    if (!representation?.['__typename']) return undefined;
    rewriteInput?.(representation);
    return JSON.stringify(representation);
  }

  return ({ data, coerced }) => {
    const targets: Target[] = [];
    const representations: string[] = [];
    const positions = new Map<string, number>();
    const byKey = new Map<string, number>();

    /** The index of the representation among those that are sent; equal ones are sent once. */
    function positionOf(object: Data): number | undefined {
      const key = simple && object['__typename'] === simple.typeName ? ownMember(object, simple.member) : undefined;
      if (simple && typeof key === 'string') return byKey.get(key) ?? sent(byKey, key, simple.textOf(key));
      const text = textOf(object);
      return text === undefined ? undefined : (positions.get(text) ?? sent(positions, text, text));
    }

    function sent(known: Map<string, number>, key: string, text: string): number {
      const position = representations.push(text) - 1;
      known.set(key, position);
      return position;
    }

    for (const [pathIndex, { path, when }] of places.entries()) {
      if (!when.every(({ variable, is }) => (coerced[variable] === true) === is)) continue;
      for (const [place, object] of objectsAt(data, path).entries()) {
        const position = positionOf(object);
        if (position !== undefined) targets.push({ object, pathIndex, place, position });
      }
    }
    return { targets, representations };
  };
}

/**
 * Objects of one path share the entity, as their selection is the same. Another path gets a copy, since later fetches
 * write into it.
 */
function addEntities(targets: readonly Target[], entities: readonly unknown[], rewrite: Rewrite | undefined): void {
  for (const entity of entities) rewrite?.(entity);
  const copies = new Map<string, Data>();
  const takenBy = new Map<number, number>();
  for (const { object, pathIndex, position } of targets) {
    const entity = entities[position];
    if (!isData(entity)) continue;
    const first = takenBy.get(position) ?? pathIndex;
    takenBy.set(position, first);
    if (first === pathIndex) mergeInto(object, entity);
    else {
      const key = `${pathIndex}:${position}`;
      const copy = copies.get(key) ?? (copyOf(entity) as Data);
      copies.set(key, copy);
      mergeInto(object, copy);
    }
  }
}

/** Reports the error of an entity at each of its places; an error of the whole request once, at the first place. */
function addErrors(
  run: PlanRun,
  paths: readonly PlanPath[],
  { errors, targets }: { readonly errors: readonly EntityError[]; readonly targets: readonly Target[] },
): void {
  if (errors.length === 0) return;
  const located = new Map<number, (string | number)[][]>();
  const pathOf = ({ pathIndex, place }: Target): (string | number)[] => {
    const known = located.get(pathIndex) ?? locationsAt(run.data, paths[pathIndex] ?? []);
    located.set(pathIndex, known);
    return known[place] ?? [];
  };
  const byPosition = new Map<number, Target[]>();
  for (const target of targets) {
    const same = byPosition.get(target.position);
    if (same) same.push(target);
    else byPosition.set(target.position, [target]);
  }
  for (const { error, position, path, isOfAll } of errors) {
    const concerned = byPosition.get(position) ?? [];
    for (const target of isOfAll ? concerned.slice(0, 1) : concerned)
      run.errors.push({ ...error, path: [...pathOf(target), ...path] });
  }
}
