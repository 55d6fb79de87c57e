import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

writeFileSync(join(tmpdir(), 'begun.log'), '');
console.log('printed before it fails');
throw new Error('There is no such declaration.');
