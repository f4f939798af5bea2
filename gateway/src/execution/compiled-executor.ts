import type { FragmentDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createDueFetches } from './due-fetches';
import type { ExecutableOperation, ExecutionContext, Executor } from './executor';
import type { ExecutorOptions } from './executor-options';
import { fragmentsOf } from './collect-fields';
import { compilePlan } from './compile-plan';
import { createMergeOperations } from './merged-operation';
import type { MergeOperations } from './merged-operation';
import { introspect, withoutIntrospection } from './introspection';
import type { PlanRun, Step } from './plan-run';
import { compileProjection } from './projection';
import type { Projection, Writing } from './projection';
import { asAsked, createResponseKeys } from './response-keys';
import { createFitsType } from './type-names';

/**
 * A compiled operation. `bytes` estimates its heap; it grows with each type and each set of merged fetches that is
 * compiled later.
 */
interface Executable {
  readonly run: Step;
  readonly merge: MergeOperations;
  readonly project: (run: PlanRun, writing: Writing) => string;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly bytes: () => number;
  /** The size that the cache has on record for it. */
  counted: number;
}

const mostBytes = 32 * 1024 * 1024;
const mostBytesOfOne = 8 * 1024 * 1024;
const mostSeen = 4_000;
/** Heap estimates in bytes. Measured: the objects of a plan take 6 to 14 times the length of its JSON. */
const bytesOf = { planCharacter: 14, field: 500, entry: 2_000 } as const;
/** The number of combinations of `@skip` and `@include` that are cached for one operation. */
const mostChoices = 16;

/** Our own executor: compiles each plan once and writes answers directly as JSON text. */
export function createCompiledExecutor({
  planner,
  plan: planFor,
  subgraphs,
}: Pick<ExecutorOptions, 'planner' | 'plan' | 'subgraphs'>): Executor {
  const { schema } = planner;
  const environment = { subgraphs, fits: createFitsType(planner.fullSchema) };
  const fits = createFitsType(schema);
  const { planned, keyOf } = createResponseKeys(planner.fullSchema);
  const executables = new LRUCache<string, Executable>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  // Only operations seen twice are cached, so that one-off operations do not evict frequent ones.
  const seen = new LRUCache<string, true>({ max: mostSeen });

  async function makeExecutable(operation: ExecutableOperation, context: ExecutionContext): Promise<Executable> {
    const { document, node, conditions: names } = operation;
    const plan = await planFor(withoutIntrospection(planned(document)), operation, context);
    const planBytes = bytesOf.entry + JSON.stringify(plan).length * bytesOf.planCharacter;
    const fragments = fragmentsOf(document);
    const type = schema.getRootType(node.operation);
    if (!type) throw new Error(`the schema has no ${node.operation}`);
    let grown = 0;
    const grow = (added: number): void => void (grown += added);
    const project = projectionByChoice(names, (conditions) =>
      compileProjection(
        schema,
        { fragments, fits, conditions, keyOf },
        { type, selectionSet: node.selectionSet },
        (fields) => grow(fields * bytesOf.field),
      ),
    );
    const bytes = (): number => planBytes + grown;
    const merge = createMergeOperations(grow);
    return { run: compilePlan(plan, environment), merge, project, fragments, bytes, counted: 0 };
  }

  async function executableOf(operation: ExecutableOperation, context: ExecutionContext): Promise<Executable> {
    const known = executables.get(operation.hash);
    if (known) return known;
    const made = await makeExecutable(operation, context);
    if (seen.has(operation.hash)) keep(operation.hash, made);
    else seen.set(operation.hash, true);
    return made;
  }

  function keep(key: string, executable: Executable): void {
    executable.counted = executable.bytes();
    executables.set(key, executable, { size: executable.counted });
  }

  return async ({ operation, variables, coerced, context }) => {
    const executable = await executableOf(operation, context);
    const due = createDueFetches(executable.merge, { variables, context });
    const run: PlanRun = { variables, coerced, context, due, data: {}, errors: [] };
    await executable.run(run);
    const introspected = { schema, operation: operation.node, fragments: executable.fragments };
    const writing: Writing = {
      incomplete: false,
      introspect: (fields) => introspect(introspected, fields, variables),
    };
    const data = executable.project(run, writing);
    if (executable.counted > 0 && executable.bytes() > executable.counted) keep(operation.hash, executable);
    return { data, errors: run.errors.map(asAsked), isIncomplete: writing.incomplete && run.errors.length === 0 };
  };
}

type Conditions = Readonly<Record<string, unknown>>;

/** One projection for each combination of `@skip` and `@include` variables; most operations have none. */
function projectionByChoice(
  names: readonly string[],
  compile: (conditions: Conditions) => Projection,
): (run: PlanRun, writing: Writing) => string {
  if (names.length === 0) {
    const projection = compile({});
    return ({ data }, writing) => projection(data, writing);
  }
  const projections = new Map<string, Projection>();
  return ({ data, coerced }, writing) => {
    const choice = names.map((name) => (coerced[name] === true ? '1' : '0')).join('');
    const known = projections.get(choice);
    const projection = known ?? compile(chosenConditions(names, coerced));
    if (!known && projections.size < mostChoices) projections.set(choice, projection);
    return projection(data, writing);
  };
}

/**
 * Copies only the variables of `@skip` and `@include`: a compiled projection outlives the call and must not keep its
 * variables.
 */
const chosenConditions = (
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, boolean>> => Object.fromEntries(names.map((name) => [name, variables[name] === true]));
