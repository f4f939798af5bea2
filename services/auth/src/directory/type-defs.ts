import { sharedTypeDefs } from '@itsm/shared/graphql/schema';
import { parse } from 'graphql';
import { accountTypeDefs } from '../accounts/type-defs';
import { personTypeDefs } from '../people/type-defs';

/** The start of auth's part of the GraphQL API: what all subgraphs share, people and accounts. */
export const typeDefs = parse(sharedTypeDefs + personTypeDefs + accountTypeDefs);
