import { it } from '@jest/globals';
import { noteTraces } from './traces.ts';

it('leaves traces', noteTraces);
it('does nothing', () => console.log('printed by a green file'));
