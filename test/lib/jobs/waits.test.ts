import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { readQuotaOf, waitsOf } from '../../../lib/jobs/waits.ts';
import { onlyContainer } from '../front-door/template.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { type SynthesizedStack, stackOf, synthesizeWith } from '../synthesis.ts';

const waitsWith = (waits: unknown) => waitsOf(new App({ context: { waits } }));

/** Returns `WAITS` of the functions that have it. */
function slotsIn({ template }: SynthesizedStack): Record<string, unknown> {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.flatMap(([id, { Properties }]) => {
      const { WAITS } = Properties.Environment?.Variables ?? {};
      return WAITS === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), WAITS]];
    }),
  );
}

describe('the context `waits`', () => {
  it.each([
    [undefined, undefined],
    [1, 1],
    [250, 250],
    // The command line passes strings.
    ['5000', 5_000],
    [100_000, 100_000],
  ])('with the value %j allows %j waiting calls', (setting, waits) => {
    expect(waitsWith(setting)).toBe(waits);
  });

  it.each([0, -1, 1.5, 100_001, '', 'many', '1e3', true, [500]])('cannot be %j', (setting) => {
    expect(() => waitsWith(setting)).toThrow('it must be a whole number from 1 to 100000.');
  });

  it('is set only in functions whose calls wait, and the quota of the account is not read', () => {
    const platform = stackOf(synthesizeWith({ waits: 250, ingress: 'off' }), 'Platform');
    expect(slotsIn(platform)).toEqual({
      JobsOpenAi: '250',
      JobsRunSync: '250',
      JobsStatusSync: '250',
      JobsStream: '250',
    });
    platform.template.resourceCountIs('Custom::WaitSlots', 0);
    expect(platform.text).not.toContain('GetAccountSettings');
  });
});

describe('a deployment with the ingress', () => {
  /** Returns `WAITS` of the ingress and of functions. */
  const slotsWith = (settings: object) => {
    const platform = stackOf(synthesizeWith(settings), 'Platform');
    const { Environment } = onlyContainer(platform.template);
    return { ingress: Environment.find(({ Name }) => Name === 'WAITS')?.Value, functions: slotsIn(platform) };
  };

  it.each([
    [{}, '20000'],
    [{ ingress: { maxTasks: 3 } }, '6000'],
    [{ waits: 250 }, '250'],
  ])('with the settings %j allows %s waiting calls, all in the ingress', (settings, slots) => {
    expect(slotsWith(settings)).toEqual({ ingress: slots, functions: {} });
  });

  it('does not read the quota of functions, because their calls do not wait', () => {
    const platform = stackOf(synthesizeWith({}), 'Platform');
    platform.template.resourceCountIs('Custom::WaitSlots', 0);
    expect(platform.text).not.toContain('GetAccountSettings');
  });
});

describe('a deployment without the context `waits` and without the ingress', () => {
  const platform = stackOf(synthesizeWith({ ingress: 'off' }), 'Platform');
  const resources = platform.template.findResources('Custom::WaitSlots');
  const [[id, slots] = []] = Object.entries(resources);

  it('passes the number that the custom resource read to functions whose calls wait', () => {
    const read = { 'Fn::GetAtt': [id, 'slots'] };
    expect(Object.keys(resources)).toHaveLength(1);
    expect(slotsIn(platform)).toEqual({ JobsOpenAi: read, JobsRunSync: read, JobsStatusSync: read, JobsStream: read });
  });

  it('allows the custom resource only to read the settings of the account', () => {
    const role = roleNamed(platform.template, 'JobsWaitsRead');
    const besidesLogs = permissionsOf(platform.template, role).filter(
      ({ actions }) => !actions.every((action) => action.startsWith('logs:')),
    );
    expect(besidesLogs).toEqual([{ on: '"*"', actions: ['lambda:GetAccountSettings'], condition: undefined }]);
  });

  it('reads the quota again only when the context `readQuota` changes', () => {
    const propertiesWith = (settings: object) => {
      const { template } = stackOf(synthesizeWith({ ingress: 'off', ...settings }), 'Platform');
      return Object.values(template.findResources('Custom::WaitSlots')).map(({ Properties }) => Properties);
    };
    expect(propertiesWith({})).toEqual([slots?.Properties]);
    expect(propertiesWith({ readQuota: '2026-12-01' })).toEqual([{ ...slots?.Properties, readQuota: '2026-12-01' }]);
  });

  it.each([true, ['now'], 'x'.repeat(101)])('refuses %j as `readQuota`', (readQuota) => {
    expect(() => readQuotaOf(new App({ context: { readQuota } }))).toThrow(
      'it must be a string of at most 100 characters, such as a date.',
    );
  });
});
