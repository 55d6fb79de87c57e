import { describeRates } from './rates.ts';

describeRates(['cancel', 'requests', 'purge-queue']);
