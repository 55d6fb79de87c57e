/** Mutants of the distribution, the ingress, and the connection between API Gateway and the ingress. */
import { type Mutant, mutant } from './mutant.ts';

const INGRESS = 'test/lib/front-door/ingress.test.ts';
const INTEGRATIONS = 'test/lib/front-door/private-integrations.test.ts';
const DISTRIBUTION = 'test/lib/front-door/distribution.test.ts';
const SETTINGS = 'test/lib/front-door/settings.test.ts';
const FLOODS = 'test/lib/api/floods.test.ts';
const COST = 'test/bench/cost/cost.test.ts';

export const frontDoorMutants: readonly Mutant[] = [
  mutant('workers reach the port of the ingress that has no authorizer')
    .replace(
      'lib/front-door/load-balancer.ts',
      "cloudFrontPeer(this), Port.tcp(ingressPorts.direct), 'CloudFront'",
      "cloudFrontPeer(this), Port.tcpRange(ingressPorts.gateway, ingressPorts.direct), 'CloudFront'",
    )
    .killedBy(INGRESS, 'admits only API Gateway at one port and CloudFront at the'),
  mutant('a task of the ingress stops before the end of its calls')
    .remove('lib/front-door/load-balancer.ts', '      deregistrationDelay: Duration.millis(MAX_CALL_DURATION),\n')
    .killedBy(INGRESS, 'forwards each port to the same port of the tasks, and'),
  mutant('the load balancer cuts off calls that wait for more than a minute')
    .remove('lib/front-door/load-balancer.ts', '      idleTimeout: Duration.millis(MAX_CALL_DURATION),\n')
    .killedBy(INGRESS, 'drops malformed headers, preserves the host, and has a'),
  mutant('a deployment resets the ingress to its minimum number of tasks')
    .replace(
      'lib/front-door/ingress.ts',
      '      cluster,\n      taskDefinition: task,\n',
      '      cluster,\n      desiredCount: minTasks,\n      taskDefinition: task,\n',
    )
    .killedBy(INGRESS, 'does not change the number of tasks in a deployment, and'),
  mutant('the ingress can decrypt secrets of jobs')
    .replace(
      'lib/jobs/jobs.ts',
      '    payloads.grantStream(stream);\n',
      "    payloads.grantStream(stream);\n    if (ingress) secrets.grantOpen(ingress, '*');\n",
    )
    .killedBy(INGRESS, 'allows only what the replaced functions may do'),
  mutant('an added zone replaces the VPC link')
    .replace(
      'lib/front-door/private-link.ts',
      'subnetIds: [0, 1].map((zone) => Fn.select(zone, subnetIds)),',
      'subnetIds,',
    )
    .killedBy(INGRESS, 'has the subnets of the first two zones, so that an added'),
  mutant('a client can set the owner of its job in the ingress')
    .remove(
      'lib/front-door/private-link.ts',
      "          [`integration.request.header.${gatewayHeaders.owner}`]: 'context.authorizer.owner',\n",
    )
    .killedBy(INTEGRATIONS, 'are sent with the path of the client and values of the'),
  mutant('functions for waiting calls exist in addition to the ingress')
    .replace(
      'lib/jobs/functions.ts',
      '!served.some((one) => one === operation)',
      '!served.some((one) => one === operation && one === "stream")',
    )
    .killedBy(INTEGRATIONS, 'have no functions'),
  mutant('large bodies are sent to API Gateway, which refuses them')
    .replace(
      'lib/front-door/choose-origin.js',
      "cf.selectRequestOriginById('ingress')",
      "request.headers['x-origin'] = { value: 'ingress' }",
    )
    .killedBy(DISTRIBUTION, 'of 10,000,000 bytes'),
  mutant('bodies of unknown length are sent to API Gateway')
    .replace('lib/front-door/choose-origin.js', 'Number.POSITIVE_INFINITY', '0')
    .killedBy(DISTRIBUTION, 'of unknown length'),
  mutant('the distribution trusts an address header from the client')
    .replace(
      'lib/front-door/choose-origin.js',
      '  request.headers[VIEWER_HEADER] =',
      '  request.headers[VIEWER_HEADER] = request.headers[VIEWER_HEADER] ||',
    )
    .killedBy(DISTRIBUTION, 'sets the header with the address of the client, even if'),
  mutant('without the ingress, large bodies are sent to a missing origin')
    .replace(
      'lib/front-door/viewer-functions.ts',
      'hasIngress ? minDirectBytes : {}',
      'hasIngress ? minDirectBytes : minDirectBytes',
    )
    .killedBy(DISTRIBUTION, 'sends no request to the ingress if the ingress is off'),
  mutant('the distribution compresses streams')
    .replace('lib/front-door/distribution.ts', 'compress: false', 'compress: true')
    .killedBy(DISTRIBUTION, 'does not cache, compress or rewrite responses of the'),
  mutant('a network of one zone fails at deployment')
    .replace('lib/front-door/ingress-setting.ts', 'if (zones >= 2) return;', 'if (zones >= 1) return;')
    .killedBy(SETTINGS, 'must be off in a network of one zone'),
  mutant('all requests through the distribution share one rate limit')
    .remove(
      'lib/api/web-acl.ts',
      "        scopeDownStatement: { notStatement: { statement: proven(proof, 'STARTS_WITH') } },\n",
    )
    .killedBy(FLOODS, 'per client, and other requests per address'),
  mutant('the costs do not include idle tasks of the ingress')
    .remove('test/bench/cost/workers.ts', '    scalingOf(app, service)?.properties.MinCapacity ??\n')
    .killedBy(COST, 'costs its load balancer'),
];
