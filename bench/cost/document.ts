/** The place of the standing costs in docs/costs.md. */
import { placeOf } from '../document.ts';

export const costPlace = placeOf('costs.md', 'cost', 'npm run cost -- --record');
