/** A measurement of all functions takes minutes: the tests import two bundles of their own. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';

function bench(...args: string[]): Promise<{ code: number | string; printed: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | string; printed: string }>();
  execFile(process.execPath, ['packages/lab/bench/main.ts', 'cold', ...args], (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
  );
  return promise;
}

let assembly: string;

/** Writes an assembly with these functions, by their names. */
function writeFunctions(codes: Readonly<Record<string, string>>): void {
  const resources = Object.entries(codes).map(([name, code]) => {
    mkdirSync(join(assembly, `asset.${name}`));
    writeFileSync(join(assembly, `asset.${name}`, 'index.js'), code);
    const Variables = { MODE: 'fast', TABLE: { Ref: 'Table' } };
    const Properties = { Code: { S3Key: `${name}.zip` }, Environment: { Variables } };
    return [`${name}12345678`, { Type: 'AWS::Lambda::Function', Properties }];
  });
  writeFileSync(join(assembly, 'Platform.template.json'), JSON.stringify({ Resources: Object.fromEntries(resources) }));
}

beforeEach(() => {
  assembly = mkdtempSync(join(tmpdir(), 'cold-'));
});

const importing = () => bench('--runs', '2', '--assembly', assembly);

describe('bench -- cold', () => {
  it('prints its usage', async () => {
    const { code, printed } = await bench('--help');
    expect(printed).toMatch(/^Usage: npm run bench -w packages\/lab -- cold \[options\]/);
    expect(code).toBe(0);
  });

  it('imports functions with their environment, and prints a row for each', async () => {
    const fast = `
      if (process.env.MODE !== 'fast' || process.env.TABLE !== 'inserted') throw new Error('No environment.');
      exports.handler = awslambda.streamifyResponse(async () => {});`;
    writeFunctions({ Fast: fast, Small: 'exports.handler = () => {};' });
    const { code, printed } = await importing();
    expect(printed).toMatch(/\| Fast {2,}\| +\d+ \| +\d+ \| +0 \| +0 \| +met \|/);
    expect(printed).toMatch(/\| Small {2,}\| .* met \|/);
    expect(code).toBe(0);
  });

  it('fails if an import needs more processor time than the bound', async () => {
    const busy =
      'const begin = process.cpuUsage(); for (;;) { const { user, system } = process.cpuUsage(begin); if (user + system > 150_000) break; }';
    writeFunctions({ Slow: `${busy} exports.handler = () => {};` });
    const { code, printed } = await importing();
    expect(printed).toMatch(/\| Slow {2,}\| .* \*\*missed\*\* \|/);
    expect(code).toBe(1);
  });

  it('fails if a bundle is larger than the bound', async () => {
    const random = Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join('');
    writeFunctions({ Large: `exports.handler = () => "${random}";` });
    const { code, printed } = await importing();
    expect(printed).toMatch(/\| Large {2,}\| .* \*\*missed\*\* \|/);
    expect(code).toBe(1);
  });

  it('fails if a function cannot be imported', async () => {
    writeFunctions({ Broken: 'throw new Error("This bundle is broken.");', None: '' });
    const { code, printed } = await importing();
    expect(printed).toContain('This bundle is broken.');
    expect(code).toBe(1);
  });

  it('fails if a module exports no handler', async () => {
    writeFunctions({ None: '' });
    expect((await importing()).printed).toContain('The module exports no handler.');
  });

  it('refuses unknown flags and numbers', async () => {
    expect((await bench('--fast')).printed).toContain("Unknown option '--fast'");
    expect((await bench('--runs', '0')).printed).toContain('--runs must be a whole number from 1 to 1000, got 0.');
  });
});
