import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readOptions } from '../options.ts';

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions([], {})).toEqual({ help: false, port: 3000, stateDir: resolve('.local') });
  });

  it('are read from flags and variables, with absolute paths', () => {
    const env = { PORT: '8080', LOCAL_STATE_DIR: 'state' };
    expect(readOptions(['--assembly', 'cdk.out', '--help'], env)).toEqual({
      help: true,
      port: 8080,
      stateDir: resolve('state'),
      assembly: resolve('cdk.out'),
    });
  });

  it('can contain context values for the stacks, as for the CDK', () => {
    const context = { deployment: 'b', environment: 'prod', readQuota: 'a=b' };
    const args = ['-c', 'deployment=b', '--context', 'environment=prod', '-c', 'readQuota=a=b'];
    expect(readOptions(args, {})).toMatchObject({ context });
    expect(readOptions(['-c', 'deployment=b', '--env', 'prod'], {})).toMatchObject({
      context: { deployment: 'b', environment: 'prod' },
    });
    expect(() => readOptions(['--env', 'prod', '--assembly', 'cdk.out'], {})).toThrow('--env has no effect with');
    expect(() => readOptions(['-c', 'deployment'], {})).toThrow(
      '--context takes name=value, as in -c deployment=test, got "deployment".',
    );
    expect(() => readOptions(['-c', 'deployment=b', '--assembly', 'cdk.out'], {})).toThrow(
      '--context has no effect with --assembly',
    );
  });

  it('can name files for the call log and the report of used permissions', () => {
    const options = readOptions([], { LOCAL_CALL_LOG: 'calls.jsonl', LOCAL_PERMISSIONS_FILE: '/tmp/permissions.json' });
    expect(options).toMatchObject({ callLog: resolve('calls.jsonl'), permissionsFile: '/tmp/permissions.json' });
  });

  it('can name a file with more images', () => {
    expect(readOptions([], { LOCAL_IMAGES: 'images.yaml' })).toMatchObject({ images: resolve('images.yaml') });
  });

  it('can name a folder for the compile cache of workers', () => {
    const options = readOptions([], { NODE_COMPILE_CACHE: 'compiled' });
    expect(options).toMatchObject({ compileCache: resolve('compiled') });
  });

  it('can configure faults', () => {
    const options = readOptions([], { LOCAL_FAULTS: 'seed=42,crash=0.5', LOCAL_FAULT_LOG: 'faults.jsonl' });
    expect(options).toMatchObject({ faults: { seed: 42, rates: { crash: 0.5 } }, faultLog: resolve('faults.jsonl') });
    expect(() => readOptions([], { LOCAL_FAULTS: 'each=2' })).toThrow('LOCAL_FAULTS has each=2, which must be');
  });

  it('can limit the executions of functions', () => {
    expect(readOptions([], { LOCAL_CONCURRENCY: '50' })).toMatchObject({ concurrency: 50 });
    expect(() => readOptions([], { LOCAL_CONCURRENCY: '0' })).toThrow(
      'LOCAL_CONCURRENCY must be a whole number from 1 to 1000000, got 0.',
    );
  });

  it.each(['0', '65536', '-1', '80.5', '0x50', 'http'])('refuse PORT=%s', (PORT) => {
    expect(() => readOptions([], { PORT })).toThrow(`PORT must be a whole number from 1 to 65535, got ${PORT}.`);
  });

  it('refuse unknown flags and arguments', () => {
    const sentence = /^Unknown option '--fast'; npm start -- --help lists the options\.$/;
    expect(() => readOptions(['--fast'], {})).toThrow(sentence);
    expect(() => readOptions(['fast'], {}, 'npx team dev')).toThrow('; npx team dev --help lists the options.');
  });
});
