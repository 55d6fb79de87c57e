import { describe, expect, it } from '@jest/globals';
import { readOptions } from '../../bin/start/attach-options.ts';

const read = (...args: string[]) => readOptions(args, {}, '/repository');

describe('npm run worker', () => {
  it('passes the arguments of the command unchanged', () => {
    const { service, command } = read('--endpoint', 'echo', '--', 'python3', 'x.py', '--endpoint', '--', '-h');
    expect({ service, command }).toEqual({ service: 'echo', command: ['python3', 'x.py', '--endpoint', '--', '-h'] });
  });

  it('runs the command in the directory where npm was called', () => {
    const env = { INIT_CWD: '/home/ada/worker', LOCAL_STATE_DIR: 'state' };
    const { folder, stateDir } = readOptions(['--', 'x'], env, '/repository');
    expect({ folder, stateDir }).toEqual({ folder: '/home/ada/worker', stateDir: '/repository/state' });
    expect(read('--', 'x')).toMatchObject({ folder: '/repository', stateDir: '/repository/.local' });
  });

  it.each([
    [['--endpoint', 'echo'], 'The command is missing: give one, as in `npm run worker -- --endpoint ID -- COMMAND`'],
    [['--endpoint', 'echo', '--'], 'The command is missing'],
    [
      ['--endpoint', 'echo', 'python3', 'x.py'],
      'The command must follow `--`, as in `npm run worker -- --endpoint ID -- COMMAND`; got "python3"',
    ],
    [['--end', 'echo', '--', 'x'], "Unknown option '--end'; npm run worker -- --help lists the options."],
  ])('refuses %j', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence);
  });
});
