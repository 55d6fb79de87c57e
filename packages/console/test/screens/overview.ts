/** States of the overview: empty, unused, at work, with problems, and with errors of the service. */
import { alarms, noAlarms } from './alarms.ts';
import { endpoint, endpoints } from './endpoints.ts';
import { failed, held, ok, type Screen, tooMany, unreachable } from './screen.ts';

const list = (of: typeof endpoints) => ok<'EndpointList'>({ endpoints: [...of] });

const LIST = 'GET /v1/endpoints';
const ALARMS = 'GET /v1/alarms';

export const overview: Screen = {
  name: 'overview',
  answers: { [LIST]: list(endpoints), [ALARMS]: alarms },
  states: [
    {
      name: 'trouble',
      path: '/',
      shows: (page) => page.getByRole('row', { name: /^sdxl/ }),
    },
    {
      name: 'problems',
      path: '/',
      act: (page) => page.getByRole('button', { name: 'No capacity' }).click(),
      shows: (page) => page.getByText('25 of 62 jobs (40 %) failed within the last hour.'),
    },
    {
      name: 'alarm',
      path: '/',
      act: (page) => page.getByRole('button', { name: 'Failing: sdxl' }).click(),
      shows: (page) => page.getByText('What to do:'),
    },
    {
      name: 'healthy',
      path: '/',
      answers: {
        [LIST]: list([endpoint('echo', { jobs: { completed: 2 }, lately: { ended: 2 } })]),
        [ALARMS]: noAlarms,
      },
      shows: (page) => page.getByText('None of 10'),
    },
    {
      name: 'without-history',
      path: '/',
      answers: { [LIST]: list([endpoint('echo', { jobs: { completed: 2 } })]), [ALARMS]: failed },
      shows: (page) => page.getByText('The alarms cannot be read.'),
    },
    {
      name: 'filtered',
      path: '/?filter=wh',
      shows: (page) => page.getByRole('row', { name: /^whisper/ }),
    },
    {
      name: 'no-match',
      path: '/?filter=nothing',
      shows: (page) => page.getByText('No endpoint matches'),
    },
    {
      name: 'empty',
      path: '/',
      answers: { [LIST]: list([]) },
      shows: (page) => page.getByText('No endpoints yet'),
    },
    {
      name: 'unused',
      path: '/',
      answers: { [LIST]: list([endpoint('echo', { version: 1 })]) },
      shows: (page) => page.getByText('Run the first job'),
    },
    {
      name: 'loading',
      path: '/',
      answers: { [LIST]: held },
      shows: (page) => page.getByText('Loading endpoints').first(),
    },
    {
      name: 'error',
      path: '/',
      answers: { [LIST]: failed },
      shows: (page) => page.getByRole('button', { name: 'Try again' }),
    },
    {
      name: 'unreachable',
      path: '/',
      answers: { [LIST]: unreachable },
      shows: (page) => page.getByText('The service cannot be reached'),
      expected: [/ERR_FAILED/],
    },
    {
      name: 'not-updated',
      path: '/',
      answers: { [LIST]: [list(endpoints), failed] },
      shows: (page) => page.getByText(/^Not updated since/),
    },
    {
      name: 'too-many-requests',
      path: '/',
      answers: { [LIST]: [list(endpoints), tooMany] },
      shows: (page) => page.getByText(/too many requests/),
    },
  ],
};
