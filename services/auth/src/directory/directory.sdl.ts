import { sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { parse } from 'graphql';
import { accountTypeDefs } from './account.sdl';
import { personTypeDefs } from './person.sdl';

/** The start of auth's part of the GraphQL API: what all subgraphs share, people and accounts. */
export const typeDefs = parse(sharedTypeDefs + personTypeDefs + accountTypeDefs);
