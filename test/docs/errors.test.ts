import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { jobSchema } from '../../core/jobs/job.ts';
import * as errors from '../../core/requests/errors.ts';
import { BudgetSpent } from '../../core/submission/budget.ts';
import { stackOf, synthesize, synthesizeWith } from '../lib/synthesis.ts';

/** Returns the code and the second cell of every row of the table below a heading. */
function rowsOf(heading: string): [code: string, second: string][] {
  const section = readFileSync('docs/reference/errors.md', 'utf8').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, code = '', second = '']) => [
    code,
    second,
  ]);
}

const sorted = (rows: readonly (readonly [string, string])[]) =>
  [...new Map(rows.map(([code, second]) => [`${code} ${second}`, [code, second]])).values()].sort(
    ([a = ''], [b = '']) => a.localeCompare(b),
  );

/** Returns an instance of every error class, with arguments that its constructor accepts. */
const thrown = [...Object.values(errors), BudgetSpent]
  .filter((Class) => Class !== errors.RequestError)
  .map((Class) => {
    const make = Class as unknown as new (...args: unknown[]) => errors.RequestError;
    return new make('echo', 0);
  });

const { template } = stackOf(synthesize(), 'Platform');
const ofGateway = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => {
  const [, code = ''] = /"code":"([^"]+)"/.exec(Properties.ResponseTemplates['application/json']) ?? [];
  return [code, Properties.StatusCode ?? 'as it was'] as const;
});

/** The authorizer's error, which has the code of an error in `core/`. */
const CHOSEN = '$context.authorizer.code';

describe('docs/reference/errors.md', () => {
  it('lists exactly the codes of error responses, with their statuses', () => {
    const responses = readFileSync('core/http/respond.ts', 'utf8');
    const ofServers = [...responses.matchAll(/\{ status: (\d+), code: '(\w+)'/g)].map(
      ([, status = '', code = '']) => [code, status] as const,
    );
    expect(ofServers).toEqual([['INTERNAL', '500']]);
    const ofCore = thrown.map(({ code, status }) => [code, String(status)] as const);
    expect(sorted(rowsOf('Responses'))).toEqual(
      sorted([...ofCore, ...ofServers, ...ofGateway.filter(([code]) => code !== CHOSEN)]),
    );
  });

  it('lists exactly the codes of jobs, with their statuses', () => {
    const codes = jobSchema.def.options.flatMap(({ shape }) => {
      const [status] = shape.status.def.values;
      return 'code' in shape
        ? Object.values(shape.code.def.entries).map((code) => [code, `\`${status}\``] as const)
        : [];
    });
    expect(codes.length).toBeGreaterThan(0);
    expect(sorted(rowsOf('In a job'))).toEqual(sorted(codes));
  });

  it('names the functions that report items that were set aside, with and without the ingress', () => {
    const text = readFileSync('docs/reference/errors.md', 'utf8').replaceAll(/\s+/g, ' ');
    const [, always = '', without = ''] =
      /Search the logs of the functions (.+?), and of the process .+? or the functions (.+?) in a deployment without the ingress\./.exec(
        text,
      ) ?? [];
    const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect([namesIn(always).length, namesIn(without).length]).toEqual([3, 2]);
    const hasFunction = (stacks: ReturnType<typeof synthesize>, name: string) =>
      Object.keys(stackOf(stacks, 'Platform').template.findResources('AWS::Lambda::Function')).some((id) =>
        new RegExp(`${name}[0-9A-F]{8}$`).test(id),
      );
    const withIngress = synthesize();
    const withoutIngress = synthesizeWith({ ingress: 'off' });
    for (const name of namesIn(always))
      expect([name, hasFunction(withIngress, name), hasFunction(withoutIngress, name)]).toEqual([name, true, true]);
    for (const name of namesIn(without))
      expect([name, hasFunction(withIngress, name), hasFunction(withoutIngress, name)]).toEqual([name, false, true]);
  });
});
