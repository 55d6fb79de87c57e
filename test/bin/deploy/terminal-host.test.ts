import { type IoRequest, PermissionChangeType } from '@aws-cdk/toolkit-lib';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TerminalHost } from '../../../bin/deploy/terminal-host.ts';

const requestOf = <Response>(code: IoRequest<unknown, Response>['code'], defaultResponse: Response, data = {}) => ({
  time: new Date(),
  level: 'info' as const,
  action: 'deploy' as const,
  code,
  message: `Question of ${code}`,
  data,
  defaultResponse,
});
const changes = (permissionChangeType: PermissionChangeType) =>
  requestOf('CDK_TOOLKIT_I5060', true, { permissionChangeType });
const destruction = requestOf('CDK_TOOLKIT_I7010', true);

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('the questions of a deployment', () => {
  const hostThat = (answers: string) => {
    const ask = jest.fn((_: string) => Promise.resolve(answers));
    return { ask, host: new TerminalHost({ yes: false, ask }) };
  };

  it('are asked only if permissions become broader', async () => {
    const { ask, host } = hostThat('yes');
    expect(await host.requestResponse(changes(PermissionChangeType.NONE))).toBe(true);
    expect(await host.requestResponse(changes(PermissionChangeType.NON_BROADENING))).toBe(true);
    expect(ask).not.toHaveBeenCalled();
    expect(await host.requestResponse(changes(PermissionChangeType.BROADENING))).toBe(true);
    expect([ask.mock.calls.length, host.hasRefused]).toEqual([1, false]);
  });

  it.each(['', 'no', 'yes please'])('are refused with the answer "%s"', async (answer) => {
    const { host } = hostThat(answer);
    expect(await host.requestResponse(destruction)).toBe(false);
    expect(host.hasRefused).toBe(true);
  });

  it('are answered with yes without a question if the user has agreed before', async () => {
    const ask = jest.fn((_: string) => Promise.resolve('no'));
    const host = new TerminalHost({ yes: true, ask });
    expect(await host.requestResponse(destruction)).toBe(true);
    expect(await host.requestResponse(changes(PermissionChangeType.BROADENING))).toBe(true);
    expect(ask).not.toHaveBeenCalled();
  });

  it('are asked one after the other', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const ask = jest.fn<(question: string) => Promise<string>>();
    ask.mockReturnValueOnce(answers[0].promise).mockReturnValueOnce(answers[1].promise);
    const host = new TerminalHost({ yes: false, ask });
    const both = [host.requestResponse(destruction), host.requestResponse(destruction)];
    await new Promise(setImmediate);
    expect(ask).toHaveBeenCalledTimes(1);
    answers[0].resolve('yes');
    answers[1].resolve('no');
    expect(await Promise.all(both)).toEqual([true, false]);
  });

  it('include the code of a device, which is not an agreement', async () => {
    const { ask, host } = hostThat('123456');
    expect(await host.requestResponse(requestOf('CDK_SDK_I1100', ''))).toBe('123456');
    expect(ask).toHaveBeenCalledWith('Question of CDK_SDK_I1100: ');
  });
});
