/** Tests tables of malformed requests over HTTP: the part of the contract that needs a second service. */
import { corpora } from '../contract/corpora/suite.ts';
import { useTarget } from '../contract/target.ts';

corpora({ target: useTarget() });
