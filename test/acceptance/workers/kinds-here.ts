/** Lists the kinds of workers that this machine can run. */
import { type Kind, kinds } from './kinds.ts';
import { hasPython } from './python.ts';

export const withPython = process.env.REQUIRE_PYTHON === '1' || hasPython();
export const kindsHere = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'python' || withPython);
