/** Mutants of the distribution, the ingress, and the way between API Gateway and it. */
import type { Mutant } from './mutant.ts';

const INGRESS = 'test/lib/front-door/ingress.test.ts';
const INTEGRATIONS = 'test/lib/front-door/private-integrations.test.ts';
const DISTRIBUTION = 'test/lib/front-door/distribution.test.ts';
const SETTINGS = 'test/lib/front-door/settings.test.ts';
const FLOODS = 'test/lib/api/floods.test.ts';
const COST = 'test/bench/cost.test.ts';

export const frontDoorMutants: readonly Mutant[] = [
  {
    name: 'the network of the workers reaches the ingress past its authorizer',
    file: 'lib/front-door/load-balancer.ts',
    replace: "cloudFrontPeer(this), Port.tcp(ingressPorts.direct), 'CloudFront'",
    by: "cloudFrontPeer(this), Port.tcpRange(ingressPorts.gateway, ingressPorts.direct), 'CloudFront'",
    test: INGRESS,
    named: 'lets API Gateway in by one port',
  },
  {
    name: 'a task of the ingress ends under the calls that wait',
    file: 'lib/front-door/load-balancer.ts',
    replace: '      deregistrationDelay: Duration.millis(LONGEST_CALL),\n',
    by: '',
    test: INGRESS,
    named: 'lets calls of a task end before it stops',
  },
  {
    name: 'the load balancer cuts calls that wait for longer than a minute',
    file: 'lib/front-door/load-balancer.ts',
    replace: '      idleTimeout: Duration.millis(LONGEST_CALL),\n',
    by: '',
    test: INGRESS,
    named: 'waits longer than a client may',
  },
  {
    name: 'a deployment puts the ingress back to its least tasks',
    file: 'lib/front-door/ingress.ts',
    replace: '      cluster,\n      taskDefinition: task,\n',
    by: '      cluster,\n      desiredCount: minTasks,\n      taskDefinition: task,\n',
    test: INGRESS,
    named: 'keeps the tasks that there are through a deployment',
  },
  {
    name: 'the ingress may open secrets of jobs',
    file: 'lib/jobs/jobs.ts',
    replace: '    payloads.grantStream(stream);\n',
    by: "    payloads.grantStream(stream);\n    if (ingress) secrets.grantOpen(ingress, '*');\n",
    test: INGRESS,
    named: 'no more than the functions that it stands for',
  },
  {
    name: 'another zone replaces the VPC link',
    file: 'lib/front-door/private-link.ts',
    replace: 'subnetIds: [0, 1].map((zone) => Fn.select(zone, subnetIds)),',
    by: 'subnetIds,',
    test: INGRESS,
    named: 'another zone does not replace it',
  },
  {
    name: 'a client can name the owner of its job to the ingress',
    file: 'lib/front-door/private-link.ts',
    replace: "          [`integration.request.header.${gatewayHeaders.owner}`]: 'context.authorizer.owner',\n",
    by: '',
    test: INTEGRATIONS,
    named: 'with what the authorizer has found',
  },
  {
    name: 'functions for calls that wait are there beside the ingress',
    file: 'lib/jobs/functions.ts',
    replace: '!served.some((one) => one === operation)',
    by: '!served.some((one) => one === operation && one === "stream")',
    test: INTEGRATIONS,
    named: 'have no functions besides',
  },
  {
    name: 'large bodies go to API Gateway, which refuses them',
    file: 'lib/front-door/choose-origin.js',
    replace: "cf.selectRequestOriginById('ingress')",
    by: "request.headers['x-origin'] = { value: 'ingress' }",
    test: DISTRIBUTION,
    named: 'of 10,000,000 bytes',
  },
  {
    name: 'bodies of unknown length go to API Gateway',
    file: 'lib/front-door/choose-origin.js',
    replace: 'Number.POSITIVE_INFINITY',
    by: '0',
    test: DISTRIBUTION,
    named: 'of unknown length',
  },
  {
    name: 'the distribution believes a client what its address is',
    file: 'lib/front-door/choose-origin.js',
    replace: '  request.headers[VIEWER_HEADER] =',
    by: '  request.headers[VIEWER_HEADER] = request.headers[VIEWER_HEADER] ||',
    test: DISTRIBUTION,
    named: 'whatever the client says',
  },
  {
    name: 'without the ingress, large bodies go to an origin that is not there',
    file: 'lib/front-door/viewer-functions.ts',
    replace: 'hasIngress ? directFrom : {}',
    by: 'hasIngress ? directFrom : directFrom',
    test: DISTRIBUTION,
    named: 'an ingress that is not there',
  },
  {
    name: 'the distribution compresses what is streamed',
    file: 'lib/front-door/distribution.ts',
    replace: 'compress: false',
    by: 'compress: true',
    test: DISTRIBUTION,
    named: 'caches, compresses and rewrites nothing',
  },
  {
    name: 'a network of one zone fails at deployment',
    file: 'lib/front-door/ingress-setting.ts',
    replace: 'if (zones >= 2) return;',
    by: 'if (zones >= 1) return;',
    test: SETTINGS,
    named: 'must be off in a network of one zone',
  },
  {
    name: 'requests through the distribution share one rate',
    file: 'lib/api/web-acl.ts',
    replace: '        scopeDownStatement: { notStatement: { statement: fromDistribution() } },\n',
    by: '',
    test: FLOODS,
    named: 'counts per client',
  },
  {
    name: 'the tasks of the ingress cost nothing while nobody calls',
    file: 'bench/cost/workers.ts',
    replace: '    scalingOf(app, service)?.properties.MinCapacity ??\n',
    by: '',
    test: COST,
    named: 'costs its load balancer',
  },
];
