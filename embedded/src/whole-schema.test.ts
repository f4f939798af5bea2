// What is promised of every field, every text and every type of the API, on one platform: it takes longer to start than most
// of these take.
import './described-types.contract';
import './secrets-in-answers.contract';
import './references.contract';
import './declared-scopes.contract';
import './refused-texts.contract';
import { sharedPlatform } from './testing/scoped-platform';

afterAll(async () => (await sharedPlatform()).close());
