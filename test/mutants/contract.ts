/** Breaks of limits and of the descriptions of the interfaces. */
import type { Mutant } from './mutant.ts';

const DOCUMENT = 'test/openapi/document.test.ts';
const THROTTLE = 'test/local/throttle.test.ts';
const PLATFORM = 'test/lib/platform.test.ts';
const GATEWAY = 'test/local/gateway.test.ts';

export const contractMutants: readonly Mutant[] = [
  {
    name: 'a bucket has no brim',
    file: 'local/gateway/throttle.ts',
    replace: 'Math.min(full, content + (at - before) * rate)',
    by: 'content + (at - before) * rate',
    test: THROTTLE,
    named: 'however requests come',
  },
  {
    name: 'a refused request takes a token',
    file: 'local/gateway/throttle.ts',
    replace: 'admitted ? refilled - TOKEN : refilled',
    by: 'Math.max(0, refilled - TOKEN)',
    test: THROTTLE,
    named: 'however requests come',
  },
  {
    name: 'the function is called before the limit is asked',
    file: 'local/gateway/usage-plan.ts',
    replace: 'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]);',
    by: 'return !bucket || throttle.admits(`${owner} ${bucket[0]}`, bucket[1]) || true;',
    test: GATEWAY,
    named: 'costs nothing',
  },
  {
    name: 'an error is described with another status',
    file: 'core/openapi/codes.ts',
    replace: 'JOB_EXPIRED: 404',
    by: 'JOB_EXPIRED: 409',
    test: DOCUMENT,
    named: 'are those of docs/errors.md',
  },
  {
    name: 'the second method of a route is not described',
    file: 'core/openapi/path-item.ts',
    replace: 'const operations = route.methods.map(',
    by: 'const operations = route.methods.slice(0, 1).map(',
    test: DOCUMENT,
    named: 'has every route',
  },
  {
    name: 'the description of a job has no bounds',
    file: 'core/openapi/components.ts',
    replace: 'z.toJSONSchema(policySchema',
    by: 'z.toJSONSchema(z.object({})',
    test: DOCUMENT,
    named: 'as the service does',
  },
  {
    name: 'descriptions are not limited',
    file: 'lib/api.ts',
    replace: 'throttlingBurstLimit: burstLimit',
    by: 'throttlingBurstLimit: 5 * burstLimit',
    test: PLATFORM,
    named: 'how often they are described',
  },
];
