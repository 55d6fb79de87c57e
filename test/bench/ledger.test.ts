/** The call ledger itself: no scenario costs more AWS calls than is recorded, and the document says what is recorded. */
import { execFile } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ledgerPlace } from '../../bench/ledger/document.ts';
import { readRecord } from '../../bench/ledger/record.ts';
import { pending, scenarios } from '../../bench/ledger/scenarios.ts';
import { render } from '../../bench/ledger/table.ts';
import { readPrices } from '../../bench/prices/prices.ts';
import { sharedAssembly } from '../acceptance/assembly.ts';

const running = new Set<ReturnType<typeof execFile>>();
afterAll(() => {
  for (const child of running) child.kill('SIGINT');
});

function bench(...args: string[]): Promise<{ code: number | string | undefined; told: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | string | undefined; told: string }>();
  const child = execFile(process.execPath, ['bench/ledger/main.ts', ...args], (error, stdout, stderr) => {
    running.delete(child);
    resolve({ code: error ? (error.code ?? undefined) : 0, told: stdout + stderr });
  });
  running.add(child);
  return promise;
}

describe('the call ledger', () => {
  it('finds no scenario that has grown by a call or 0.1 WRU', async () => {
    const { code, told } = await bench('--check', '--assembly', await sharedAssembly());
    expect(told).toContain('No scenario has grown.');
    expect(code).toBe(0);
  }, 240_000);

  it('refuses flags that it does not know', async () => {
    const { code, told } = await bench('--fast');
    expect(told).toMatch(/^Unknown option '--fast'; npm run bench:ledger -- --help lists what there is\.\s*$/);
    expect(code).toBe(1);
  });

  it('has recorded every scenario', () => {
    expect(Object.keys(readRecord().scenarios)).toEqual(scenarios.map(({ name }) => name));
  });

  it('stands in docs/performance.md as recorded', () => {
    expect(ledgerPlace.read()).toBe(render(readRecord(), readPrices(), scenarios, pending));
  });
});
