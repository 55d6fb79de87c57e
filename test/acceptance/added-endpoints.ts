/** Creates copies of the shared assembly with different endpoints. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPools } from '../../lib/capacity/pool-declaration.ts';
import type { EndpointDeclaration } from '../../lib/endpoints/declaration.ts';
import { GpuEndpoints } from '../../lib/gpu-endpoints.ts';
import type { TemplateDeclaration } from '../../lib/templates/declaration.ts';
import { newApp } from '../lib/synthesis.ts';
import { declared } from '../support/declared.ts';
import { manifestOf, sharedAssembly } from './assembly.ts';

/**
 * Creates the assembly in the folder. The stacks with functions are copied from the shared assembly, because
 * bundling takes most of a synthesis.
 * @param templates the official templates.
 * @default - the templates of the shared assembly, which its copy keeps
 */
export async function assemblyWith(
  folder: string,
  declarations: readonly EndpointDeclaration[],
  templates?: readonly TemplateDeclaration[],
): Promise<void> {
  const shared = await sharedAssembly();
  const isOwn = (name: string) =>
    name.startsWith('GpuEndpoint') || (templates !== undefined && name.startsWith('GpuTemplates'));
  cpSync(shared, folder, { recursive: true, filter: (file) => !isOwn(file.slice(shared.length + 1)) });
  const synthesized = mkdtempSync(join(tmpdir(), 'gpu-endpoints-added-'));
  try {
    // The new endpoints import the pools that the shared assembly exports.
    const app = newApp(synthesized);
    new GpuEndpoints(app, 'Gpu', {
      endpoints: declarations,
      pools: readPools(declared),
      ...(templates && { templates }),
    });
    app.synth();
    cpSync(synthesized, folder, {
      recursive: true,
      filter: (file) => file === synthesized || isOwn(file.slice(synthesized.length + 1)),
    });
    const [kept, added] = [manifestOf(shared), manifestOf(synthesized)].map(({ artifacts }) =>
      Object.entries(artifacts),
    );
    const artifacts = Object.fromEntries([
      ...(kept ?? []).filter(([name]) => !isOwn(name)),
      ...(added ?? []).filter(([name]) => isOwn(name)),
    ]);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifestOf(shared), artifacts }));
  } finally {
    rmSync(synthesized, { recursive: true });
  }
}
