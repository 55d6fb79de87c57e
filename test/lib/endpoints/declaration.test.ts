import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reservedIds } from '../../../core/endpoints/reserved-ids.ts';
import { grantFrom } from '../../../core/keys/grant.ts';
import { AGENT_PORT } from '../../../core/workers/protocol.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { declared } from '../../support/declared.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'declarations-'));
});
beforeEach(() => {
  rmSync(join(root, 'endpoints'), { recursive: true, force: true });
  mkdirSync(join(root, 'endpoints'));
});
afterAll(() => rmSync(root, { recursive: true }));

const write = (name: string, content: string) => writeFileSync(join(root, 'endpoints', name), content);

/** Returns the problems of an `echo.yaml` with this content, without the file name. */
function problemsOf(content: string): string[] {
  write('echo.yaml', content);
  try {
    readDeclarations(root);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace('endpoints/echo.yaml: ', ''));
  }
}

describe('the declarations of the examples', () => {
  it('are valid', () => {
    const enveloped = readDeclarations(declared).map(({ id, streamEnvelope }) => [id, streamEnvelope]);
    expect(enveloped).toEqual([
      ['echo', false],
      ['echo-http', false],
      ['echo-sdk', true],
    ]);
  });
});

describe('a declaration', () => {
  it('can have named examples of inputs, in the order of the file', () => {
    write('echo.yaml', 'image: a\nexamples:\n  Hello: { text: hello }\n  A list: { n: [1, { m: null }] }\n');
    expect(readDeclarations(root)).toMatchObject([
      {
        examples: [
          { name: 'Hello', input: { text: 'hello' } },
          { name: 'A list', input: { n: [1, { m: null }] } },
        ],
      },
    ]);
  });

  it('requires an image; every other field has a default', () => {
    write('echo.yaml', 'image: team/worker:1.2');
    expect(readDeclarations(root)).toEqual([
      {
        id: 'echo',
        image: 'team/worker:1.2',
        protocol: 'worker',
        capacity: 'cpu',
        minWorkers: 0,
        maxWorkers: 3,
        idleTimeout: 60_000,
        executionTimeout: 600_000,
        streamEnvelope: false,
      },
    ]);
  });

  it.each([
    ['executionTimeout: 5001'],
    ['executionTimeout: 604800000'],
    ['minWorkers: 100\nmaxWorkers: 100'],
    ['streamEnvelope: true'],
    ['protocol: http'],
    ['protocol: http\nhttp: { port: 80, path: "/v1/run?a=%20b", healthPath: /, startTimeout: 3600000 }'],
    ['env: { PORT: "80" }'],
    ['cpu: 256\nmemory: 512'],
    ['cpu: 16384\nmemory: 122880'],
    ['spot: true\ncontainerDiskInGb: 21'],
    ['containerDiskInGb: 1'],
    ['containerDiskInGb: 200'],
    ['volumeInGb: 0\nvolumeMountPath: /data'],
    ['volumeAlsoAt: /runpod-volume'],
    ['dockerEntrypoint: [python3]\ndockerStartCmd: [handler.py, --fast]'],
    ['ports: [8080/http, 22/tcp]'],
    ['containerRegistryAuthId: team'],
    ['readme: "# Worker"\nowner: team-a'],
    ['env: { TOKEN: "{{secrets:HUB_TOKEN}}" }'],
    ['env: { _a1: "", MODE: "fast" }'],
  ])('can have the fields %j', (fields) => {
    expect(problemsOf(`image: team/worker\n${fields}`)).toEqual([]);
  });

  it.each([
    [
      'pinTemplate: 2',
      '`pinTemplate` must be omitted without `template`, because the file itself contains the template, got 2',
    ],
    ['minWorkers: -1', '`minWorkers` must be a whole number from 0 to 100, got -1'],
    ['minWorkers: 1.5', '`minWorkers` must be a whole number from 0 to 100, got 1.5'],
    ['maxWorkers: 0', '`maxWorkers` must be a whole number from 1 to 100, got 0'],
    ['maxWorkers: many', '`maxWorkers` must be a whole number from 1 to 100, got "many"'],
    ['minWorkers: 5', '`maxWorkers` must be at least `minWorkers`, which is 5, got 3'],
    ['streamEnvelope: "yes"', '`streamEnvelope` must be true or false, got "yes"'],
    ['examples: [{}]', '`examples` must be a mapping of names to inputs, got [{}]'],
    ['examples: { Text: hello }', '`examples.Text` must be a mapping with the fields of an input, got "hello"'],
    ['examples: { "": {} }', '`examples.` must be a name of 1 to 64 characters without control characters'],
    [
      `examples: { ${Array.from({ length: 21 }, (_, n) => `e${n}: {}`).join(', ')} }`,
      expect.stringContaining('`examples` must have at most 20 inputs, got {"e0":{}'),
    ],
    [
      `examples: { Large: { text: ${'x'.repeat(16_384)} } }`,
      expect.stringContaining(
        '`examples` must have at most 16384 bytes as a JSON array of objects with name and input',
      ),
    ],
    ['capacity: gpu', '`capacity` must be one of cpu, got "gpu"'],
    ['protocol: grpc', '`protocol` must be one of worker, http, got "grpc"'],
    ['http: { port: 80 }', '`protocol` must be http with `http`, got "worker"'],
    ['protocol: http\nhttp: 80', '`http` must be a mapping with the keys port, path, healthPath, startTimeout, got 80'],
    ['protocol: http\nhttp: { port: 0 }', '`http.port` must be a whole number from 1 to 65535, got 0'],
    [
      'protocol: http\nhttp: { path: predict }',
      '`http.path` must be a path that starts with a slash, such as `/predict`, got "predict"',
    ],
    [
      'protocol: http\nhttp: { healthPath: "/a b" }',
      '`http.healthPath` must be a path that starts with a slash, such as `/predict`, got "/a b"',
    ],
    [
      'protocol: http\nhttp: { startTimeout: 999 }',
      '`http.startTimeout` must be a whole number of milliseconds from 1000 to 3600000, got 999',
    ],
    [
      'protocol: http\nhttp: { url: / }',
      '`http.url` is not a field; the fields are port, path, healthPath, startTimeout',
    ],
    [
      'protocol: http\nenv: { PORT: "80" }',
      '`env.PORT` must be omitted: `http.port` sets the port of the server, got "80"',
    ],
    ['cpu: 300', '`cpu` must be one of 256, 512, 1024, 2048, 4096, 8192, 16384, got 300'],
    ['cpu: 1.5', '`cpu` must be a whole number of CPU units, got 1.5'],
    ['gpus: 1', '`gpus` must be omitted with `capacity: cpu`: Fargate has no GPUs, got 1'],
    ['spot: 1', '`spot` must be true or false, got 1'],
    ['containerDiskInGb: 201', '`containerDiskInGb` must be at most 200 with `capacity: cpu`, got 201'],
    ['containerDiskInGb: 0', '`containerDiskInGb` must be a whole number of GB from 1 to 16000, got 0'],
    ['volumeInGb: -1', '`volumeInGb` must be a whole number of GB from 0 to 16000, got -1'],
    [
      'volumeMountPath: /usr',
      '`volumeMountPath` must not be at, above or below /usr, which the container needs, got "/usr"',
    ],
    [
      'volumeAlsoAt: runpod-volume',
      '`volumeAlsoAt` must be an absolute path in the container, such as /workspace: it does not begin with a slash, got "runpod-volume"',
    ],
    [
      'volumeInGb: 0\nvolumeAlsoAt: /runpod-volume',
      '`volumeAlsoAt` must be omitted with `volumeInGb: 0`, because there is no volume, got "/runpod-volume"',
    ],
    ['dockerStartCmd: serve', '`dockerStartCmd` must be a list of at most 256 strings, got "serve"'],
    [
      'ports: [8080/udp]',
      '`ports.0` must be a port from 1 to 65535 with the protocol http or tcp, such as 8080/http, got "8080/udp"',
    ],
    [
      `ports: [${AGENT_PORT}/http]`,
      `\`ports\` must not contain ${AGENT_PORT}, which the agent beside the container uses, got ["${AGENT_PORT}/http"]`,
    ],
    [
      `protocol: http\nhttp: { port: ${AGENT_PORT} }`,
      `\`http.port\` must not be ${AGENT_PORT}, which is the port of the agent, got ${AGENT_PORT}`,
    ],
    ['owner: ""', '`owner` must be the name of an owner, got ""'],
    [
      'env: { A: "x{{secrets:B}}" }',
      '`env.A` must refer to a valid secret or to no secret: a secret must be the whole value, as in {{secrets:NAME}}, got "x{{secrets:B}}"',
    ],
    ['cpu: 256\nmemory: 4096', '`memory` must be one of 512, 1024, 2048 (MiB) with `cpu: 256`, got 4096'],
    [
      'executionTimeout: 5000',
      '`executionTimeout` must be a whole number of milliseconds from 5001 to 604800000, got 5000',
    ],
    ['env: { PORT: 80 }', '`env.PORT` must be a string; put it in quotes, got 80'],
    [
      'env: { 1a: "" }',
      '`env.1a` must be a name of at most 255 letters, digits and underscores that does not start with a digit',
    ],
    ['build: ../other', '`build` must be a folder of this repository that has a Dockerfile, got "../other"'],
    [
      'widgets: 1',
      '`widgets` is not a field; the fields are deploy, owner, template, pinTemplate, image, build, env, containerDiskInGb, volumeInGb, volumeMountPath, dockerEntrypoint, dockerStartCmd, ports, containerRegistryAuthId, readme, protocol, http, capacity, minWorkers, maxWorkers, concurrency, idleTimeout, executionTimeout, maxDollarsPerDay, streamEnvelope, alarms, examples, volumeAlsoAt, cpu, memory, gpus, sharedMemorySize, spot',
    ],
  ])('is refused for %j with the field, the value and the allowed values', (fields, problem) => {
    expect(problemsOf(`image: team/worker\n${fields}`)).toEqual([problem]);
  });

  it.each(['ENDPOINT_ID', 'AGENT_PORT', 'RUNPOD_POD_ID', 'AWS_REGION', 'ECS_CLUSTER'])('cannot set %s', (name) => {
    expect(problemsOf(`image: team/worker\nenv: { ${name}: "x" }`)).toEqual([
      `\`env.${name}\` must be another name, because the service sets this variable`,
    ]);
  });

  it('must name a template or contain one, but not both', () => {
    expect(problemsOf('template: echo')).toEqual([]);
    expect(problemsOf('template: Echo of the team\npinTemplate: 3')).toEqual([]);
    expect(problemsOf('maxWorkers: 5')).toEqual([
      '`image` must be set, or `template` must name a template, got nothing',
    ]);
    const must = 'must be omitted with `template`, which sets it';
    expect(problemsOf('template: echo\nimage: team/worker\nvolumeInGb: 0\nenv: { A: b }')).toEqual([
      `\`image\` ${must}, got "team/worker"`,
      `\`env\` ${must}, got {"A":"b"}`,
      `\`volumeInGb\` ${must}, got 0`,
    ]);
    expect(problemsOf('template: echo\npinTemplate: 0')).toEqual([
      '`pinTemplate` must be a whole number from 1 to 1000000, got 0',
    ]);
    expect(problemsOf('template: ""')).toEqual(['`template` must be the id or the name of a template, got ""']);
  });

  it.each(['', 'Team/Worker', 'team/worker:1.2 --privileged', 'https://example.com/worker'])(
    'is refused for the image %j',
    (image) => {
      const must = '`image` must be the name of a container image of at most 255 characters, such as `team/worker:1.2`';
      const problems = problemsOf(`image: ${JSON.stringify(image)}`);
      expect(problems).toEqual([expect.stringMatching(/^.*: (it|its) .*, got ".*"$/)]);
      expect(problems[0]).toContain(must);
    },
  );

  it.each([
    ['', 'got null'],
    ['- image', 'got ["image"]'],
    ['image: [', 'not YAML'],
    ['image: a\nimage: b', 'Map keys must be unique at line 2'],
  ])('is refused for the content %j', (content, reason) => {
    expect(problemsOf(content)).toEqual([expect.stringContaining(reason)]);
  });

  it('is refused with all its problems in one error', () => {
    expect(problemsOf('image: 7\nminWorkers: -1\nmemory: 1\ncolour: red')).toHaveLength(4);
  });
});

describe('the file of a declaration', () => {
  it('can be absent', () => {
    rmSync(join(root, 'endpoints'), { recursive: true });
    expect(readDeclarations(root)).toEqual([]);
  });

  it.each([
    ['Echo.yaml', 'must be an endpoint id: at most 63 lower-case letters, digits and inner hyphens, got "Echo"'],
    ['echo-.yaml', 'got "echo-"'],
    [`${'a'.repeat(64)}.yaml`, 'must be an endpoint id'],
    ['echo.yml', 'must end in .yaml, got ".yml"'],
  ])('cannot have the name %s', (name, reason) => {
    write(name, 'image: team/worker');
    expect(() => readDeclarations(root)).toThrow(reason);
  });

  it.each(reservedIds)('cannot have the name %s, which is reserved for paths', (id) => {
    write(`${id}.yaml`, 'image: team/worker');
    expect(() => readDeclarations(root)).toThrow(
      `endpoint ${id}: the id must not be "${id}", which is reserved for paths of the interfaces: a request to this endpoint could have two meanings. Choose another name`,
    );
    expect(() => grantFrom({ name: 'x', endpoints: [id] }, 0)).toThrow(
      `\`endpoints.0\` must be endpoint ids or *, and no new endpoint can have an id that is reserved for paths, got "${id}"`,
    );
  });

  it.each(['pods-1', 'health'])('can have the name %s, which has one meaning in paths', (id) => {
    write(`${id}.yaml`, 'image: team/worker');
    expect(readDeclarations(root)).toMatchObject([{ id }]);
  });

  it('is named in every problem, even if there are several files', () => {
    write('a.yaml', 'image: 1');
    write('b.yaml', 'image: team/worker');
    write('c.yaml', 'image: 2');
    expect(() => readDeclarations(root)).toThrow(/^endpoints\/a\.yaml: .*\nendpoints\/c\.yaml: .*$/);
  });
});
