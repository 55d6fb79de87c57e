/** Runs a CDK app that has nothing of this product, and that describes itself with a name and a program only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../network/ports.ts';
import { endMarkedProcesses } from '../state/processes.ts';
import { eventually, newFolder } from './small-service.ts';

/** Milliseconds of a synthesis and a start on a busy machine. */
const LIMIT = 110_000;

const sample = join(import.meta.dirname, '../sample');
const stateDir = join(newFolder(), 'state');
let child: ChildProcess;
let printed = '';
let origin: string;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port), LOCAL_STATE_DIR: stateDir };
  child = spawn(process.execPath, [join(sample, 'start.ts')], { cwd: sample, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const outputs = join(stateDir, 'outputs.json');
  await eventually('the sample is ready', () => existsSync(outputs) || child.exitCode !== null, LIMIT);
  if (child.exitCode !== null) throw new Error(`The sample exited with ${child.exitCode}:\n${printed}`);
  url = (JSON.parse(readFileSync(outputs, 'utf8')) as { Notes: { Url: string } }).Notes.Url;
}, LIMIT);

afterAll(async () => {
  child.kill('SIGKILL');
  await endMarkedProcesses(stateDir);
});

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

describe('a CDK app without anything of this product', () => {
  it('imports only packages', () => {
    const sources = globSync('**/*.ts', { cwd: sample }).map((file) => readFileSync(join(sample, file), 'utf8'));
    expect(sources).toHaveLength(4);
    const imported = sources.flatMap((text) => [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name));
    expect(
      imported.filter((name) => !/^(?:node:|aws-cdk-lib|@aws-sdk\/|@gpu-endpoints\/emulator\/)/.test(name)),
    ).toEqual([]);
  });

  it('prints its outputs when it is ready, and has a page at `/`', async () => {
    await eventually('the message is printed', () => printed.includes('stops everything.'));
    expect(printed).toContain(`Url             ${url}\n`);
    const page = await (await fetch(origin)).text();
    expect(page).toContain('<title>notes on this machine</title>');
    expect(page).not.toContain('Try it');
  });

  it('stores an item through its API, and its second function gets the change', async () => {
    const { status, json } = await ask('notes', { method: 'POST', body: 'buy milk' });
    expect(status).toBe(201);
    expect(await ask(`notes/${json.id}`)).toEqual({ status: 200, json: { id: json.id, text: 'buy milk' } });
    await eventually('the note is in the index', async () => {
      const { json: found } = await ask('words/milk');
      return JSON.stringify(found) === JSON.stringify({ word: 'milk', notes: [json.id] });
    });
    expect((await ask('notes/none')).status).toBe(404);
  });

  it('stops after Ctrl-C, and removes its outputs', async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    expect(existsSync(join(stateDir, 'outputs.json'))).toBe(false);
  });
});
