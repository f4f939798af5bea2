import { GraphQLError, Kind, getVariableValues, parse, validate, valueFromASTUntyped } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { ConnectionPrice } from '../cost/breakdown';
import { compileFormula } from '../cost/formula';
import type { Formula, Price } from '../cost/formula';

type Values = Readonly<Record<string, unknown>>;

export interface Question {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Values;
  /** Without one, connections are known by how they are asked for, and nothing is validated. */
  readonly schema: GraphQLSchema | undefined;
}

export type Answer =
  | { readonly kind: 'priced'; readonly price: Price; readonly breakdown: readonly ConnectionPrice[] }
  | {
      readonly kind: 'refused';
      readonly errors: readonly GraphQLError[];
      readonly breakdown: readonly ConnectionPrice[];
    };

/** What the gateway would say about a call, from the same formula. */
export function priceDocument({ query, operationName, variables, schema }: Question): Answer {
  try {
    const document = parse(query);
    const faults = schema ? validate(schema, document) : [];
    if (faults.length > 0) return refused(faults);
    const operation = chooseOperation(document, operationName);
    const compiled = compileFormula(schema, document, operation);
    if (compiled.kind === 'refused') return refused(compiled.errors);
    const values = schema ? coerce(schema, operation, variables) : withDefaults(operation, variables);
    return answer(compiled.formula, values);
  } catch (error) {
    if (error instanceof GraphQLError) return refused([error]);
    throw error;
  }
}

function answer(formula: Formula, variables: Values): Answer {
  const evaluation = formula(variables);
  const breakdown = formula.breakdown(variables);
  return evaluation.kind === 'refused'
    ? refused(evaluation.errors, breakdown)
    : { kind: 'priced', price: evaluation.price, breakdown };
}

const refused = (errors: readonly GraphQLError[], breakdown: readonly ConnectionPrice[] = []): Answer => ({
  kind: 'refused',
  errors,
  breakdown,
});

function chooseOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const named = operations.filter((operation) => name === undefined || operation.name?.value === name);
  const [chosen, ...others] = named;
  if (chosen && others.length === 0) return chosen;
  const names = operations.map((operation) => operation.name?.value ?? '(unnamed)').join(', ');
  throw new GraphQLError(`Name one of the operations of the document: ${names || 'it has none'}.`);
}

function coerce(schema: GraphQLSchema, operation: OperationDefinitionNode, variables: Values): Values {
  const { errors, coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors?.[0]) throw errors[0];
  return coerced ?? {};
}

const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Values): Values => ({
  ...Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...variables,
});
