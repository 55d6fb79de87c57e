/** The assembly that is deployed, with other endpoints in place of its own. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPools } from '../../lib/capacity/pool-declaration.ts';
import type { EndpointDeclaration } from '../../lib/endpoint-declaration.ts';
import { createApp } from '../lib/synthesis.ts';
import { sharedAssembly } from './assembly.ts';

interface Manifest {
  readonly artifacts: Readonly<Record<string, unknown>>;
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
const isOfEndpoint = (name: string) => name.startsWith('Endpoint-');

/**
 * Makes the folder. The other stacks are those of the shared assembly: to bundle their functions takes most of a
 * synthesis, and the stack of an endpoint, which has none of its own, is the same without.
 */
export async function assemblyWith(folder: string, declarations: readonly EndpointDeclaration[]): Promise<void> {
  const shared = await sharedAssembly();
  cpSync(shared, folder, { recursive: true, filter: (file) => !isOfEndpoint(file.slice(shared.length + 1)) });
  const synthesized = mkdtempSync(join(tmpdir(), 'gpu-endpoints-added-'));
  try {
    // The pools of the shared assembly, by whose exports endpoints name them.
    createApp(synthesized, declarations, {}, readPools()).synth();
    cpSync(synthesized, folder, {
      recursive: true,
      filter: (file) => file === synthesized || isOfEndpoint(file.slice(synthesized.length + 1)),
    });
    const [kept, added] = [readManifest(shared), readManifest(synthesized)].map(({ artifacts }) =>
      Object.entries(artifacts),
    );
    const artifacts = Object.fromEntries([
      ...(kept ?? []).filter(([name]) => !isOfEndpoint(name)),
      ...(added ?? []).filter(([name]) => isOfEndpoint(name)),
    ]);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...readManifest(shared), artifacts }));
  } finally {
    rmSync(synthesized, { recursive: true });
  }
}
