/** Tests tables of malformed requests over HTTP. This part of the contract needs a second service. */
import { corpora } from '../contract/corpora/suite.ts';
import { useTarget } from '../contract/target.ts';

corpora(useTarget());
