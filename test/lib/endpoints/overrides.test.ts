/** Tests the fields of endpoints that an environment overrides. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkOverrides, readDeclarations } from '../../../lib/endpoints/declaration.ts';

const root = mkdtempSync(join(tmpdir(), 'overrides-'));
beforeEach(() => {
  rmSync(root, { recursive: true });
  write('endpoints/chat.yaml', CHAT);
});
afterAll(() => rmSync(root, { recursive: true }));

const CHAT = `
image: team/chat:1.2
maxWorkers: 3
env: { MODEL: small, LOG_LEVEL: info }
dockerStartCmd: [serve, --fast]
examples: { Hello: { text: hello } }
`;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const override = (text: string, name = 'chat.yaml') => write(`environments/prod/endpoints/${name}`, text);

describe('the endpoints of an environment', () => {
  it('are those of all environments where it overrides nothing', () => {
    override('maxWorkers: 20', 'chat.yaml');
    expect(readDeclarations(root, 'test')).toEqual(readDeclarations(root));
    expect(readDeclarations(root)).toMatchObject([{ id: 'chat', maxWorkers: 3 }]);
  });

  it('have the fields that it overrides: mappings are merged, lists are replaced, null removes', () => {
    override(
      'maxWorkers: 20\nenv: { MODEL: large, LOG_LEVEL: null, REGION: eu }\ndockerStartCmd: [serve]\nexamples: null\nhttp: { port: 9000 }\nprotocol: http\n',
    );
    const [before] = readDeclarations(root);
    const { examples: _, ...rest } = before ?? {};
    expect(readDeclarations(root, 'prod')).toEqual([
      {
        ...rest,
        maxWorkers: 20,
        env: { MODEL: 'large', REGION: 'eu' },
        dockerStartCmd: ['serve'],
        protocol: 'http',
        http: expect.objectContaining({ port: 9_000 }),
      },
    ]);
  });

  it('lack an endpoint that only other environments deploy', () => {
    override('deploy: false');
    expect(readDeclarations(root, 'prod')).toEqual([]);
    expect(readDeclarations(root)).toMatchObject([{ id: 'chat' }]);
  });

  it('have an endpoint that only this environment deploys', () => {
    write('endpoints/chat.yaml', `${CHAT}deploy: false`);
    override('deploy: true');
    expect(readDeclarations(root, 'prod')).toMatchObject([{ id: 'chat', image: 'team/chat:1.2' }]);
    expect(readDeclarations(root)).toEqual([]);
  });
});

describe('an override', () => {
  it.each([
    [
      'maxWorkers: 0',
      'endpoints/chat.yaml with environments/prod/endpoints/chat.yaml: `maxWorkers` must be a whole number from 1 to',
    ],
    ['image: null', '`image` must be set, or `template` must name a template'],
    ['maxWorker: 2', '`maxWorker` is not a field: did you mean maxWorkers?'],
    ['widgets: 2', '`widgets` is not a field; the fields are deploy, owner, template'],
    ['minWorkers: 5', '`maxWorkers` must be at least `minWorkers`, which is 5, got 3'],
    ['[]', 'environments/prod/endpoints/chat.yaml: the file must be a mapping of fields, got []'],
    ['maxWorkers: [', 'environments/prod/endpoints/chat.yaml: the file is not YAML: '],
    ['deploy: no', '`deploy` must be true or false, got "no"'],
  ])('that contains "%s" is refused, with its file, value and rule', (text, message) => {
    override(text);
    expect(() => readDeclarations(root, 'prod')).toThrow(message);
    expect(() => checkOverrides(root)).toThrow(message);
    expect(readDeclarations(root)).toHaveLength(1);
  });

  it('of an endpoint that is not declared is refused', () => {
    override('maxWorkers: 2', 'caht.yaml');
    const message =
      'environments/prod/endpoints/caht.yaml: there is no endpoints/caht.yaml whose fields it could override';
    expect(() => readDeclarations(root, 'prod')).toThrow(message);
  });

  it('is refused together with all others', () => {
    override('maxWorkers: 0');
    write('environments/test/endpoints/chat.yaml', 'minWorkers: -1');
    expect(() => checkOverrides(root)).toThrow(/`maxWorkers` must be .*\n.*`minWorkers` must be /);
  });
});
