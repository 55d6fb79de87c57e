/** Tests the endpoint files that `docs/guides/http-servers.md` contains. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { serverOf } from '../../lib/endpoints/http.ts';
import { declared } from '../support/declared.ts';

const page = readFileSync('docs/guides/http-servers.md', 'utf8');
const files = [...page.matchAll(/^```yaml\n# endpoints\/(?<id>[\w-]+)\.yaml\n(?<content>.*?)^```$/gms)];

it('has valid endpoint files for unmodified OpenAI-compatible servers', () => {
  const root = mkdtempSync(join(tmpdir(), 'openai-servers-'));
  cpSync(join(declared, 'capacity'), join(root, 'capacity'), { recursive: true });
  mkdirSync(join(root, 'endpoints'));
  for (const { groups } of files) writeFileSync(join(root, 'endpoints', `${groups?.id}.yaml`), groups?.content ?? '');
  const servers = readDeclarations(root).map((declaration) => {
    const { port, path, healthPath } = serverOf(declaration) ?? {};
    return [declaration.id, port, path, healthPath];
  });
  expect(servers).toEqual([
    ['llama-cpp', 8080, '/', '/health'],
    ['ollama', 11434, '/', '/'],
    ['sglang', 30000, '/', '/health'],
    ['tgi', 8000, '/', '/health'],
    ['vllm', 8000, '/', '/health'],
  ]);
});
