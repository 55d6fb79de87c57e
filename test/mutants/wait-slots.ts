/** Breaks of the bounds on calls that wait. */
import type { Mutant } from './mutant.ts';

const SLOTS = 'test/jobs/wait-slots.test.ts';
const STORE = 'aws/wait-slots.ts';
const USE_CASE = 'core/jobs/wait-slots.ts';

export const waitSlotMutants: readonly Mutant[] = [
  {
    name: 'an endpoint has one slot more in each item',
    file: STORE,
    replace: 'size(#own) < :share',
    by: 'size(#own) <= :share',
    test: SLOTS,
    named: 'lets 400 calls',
  },
  {
    name: 'a deployment has one slot more in each item',
    file: STORE,
    replace: 'size(#all) < :size',
    by: 'size(#all) <= :size',
    test: SLOTS,
    named: 'in a deployment',
  },
  {
    name: 'all endpoints share their slots',
    file: STORE,
    replace: '`${endpoint}/${operation}`',
    by: '`${operation}`',
    test: SLOTS,
    named: 'counts each endpoint',
  },
  {
    name: 'all operations share their slots',
    file: STORE,
    replace: '`${endpoint}/${operation}`',
    by: '`${endpoint}`',
    test: SLOTS,
    named: 'counts each endpoint',
  },
  {
    name: 'the slots of functions that died stay taken',
    file: STORE,
    replace: '* MINUTE <= now',
    by: '* MINUTE <= 0',
    test: SLOTS,
    named: 'functions that died',
  },
  {
    name: 'a lease ends while its call may wait',
    file: STORE,
    replace: '(now + WAIT_LEASE)',
    by: '(now + WAIT_LEASE / 2)',
    test: SLOTS,
    named: 'functions that died',
  },
  {
    name: 'a repeated write takes another slot',
    file: STORE,
    replace: ' OR contains(#own, :lease)',
    by: ' AND NOT contains(#own, :lease)',
    test: SLOTS,
    named: 'though the response',
  },
  {
    name: 'a slot is released for its endpoint alone',
    file: STORE,
    replace: "['all', attribute]",
    by: '[attribute]',
    test: SLOTS,
    named: 'releases the slot of a call that fails',
  },
  {
    name: 'a call that fails keeps its slot',
    file: USE_CASE,
    replace: 'if (held) await',
    by: 'if (held && clock.now() < 0) await',
    test: SLOTS,
    named: 'releases the slot of a call that fails',
  },
  {
    name: 'a call that was refused has stored its job',
    file: 'core/jobs/submit.ts',
    replace: '  await admit();\n',
    by: '',
    test: SLOTS,
    named: 'lets 400 calls',
  },
  {
    name: 'a call takes a slot before the request is checked',
    file: 'core/jobs/runsync.ts',
    replace: 'async (hold) => {\n',
    by: 'async (hold) => {\n    await hold();\n',
    test: SLOTS,
    named: 'with its fault',
  },
  {
    name: 'a call takes a slot for a job that has ended',
    file: 'core/jobs/wait.ts',
    replace: '  for (;;) {\n',
    by: '  for (;;) {\n    await hold();\n',
    test: SLOTS,
    named: 'that has ended',
  },
];
