/** Tables of malformed requests over HTTP: the part of the contract that `contract.test.ts` leaves to a second service. */
import { corpora } from '../contract/corpora/suite.ts';
import { useTarget } from '../contract/target.ts';

corpora({ target: useTarget() });
