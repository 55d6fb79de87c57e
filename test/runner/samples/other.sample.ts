import { it } from '@jest/globals';
import { recordTraces } from './traces.ts';

it('leaves traces', recordTraces);
it('does nothing', () => console.log('printed by a green file'));
