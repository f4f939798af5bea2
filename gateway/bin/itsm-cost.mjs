#!/usr/bin/env node
// itsm-cost <query.graphql> [options]: the price of a GraphQL call before it is sent; `--help` lists the options.
import { prepare } from '../../scripts/prepare.mjs';

await prepare();
await import('../dist/cost-command/main.js');
