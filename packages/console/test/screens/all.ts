/** Lists every screen of the console in all its states. */
import { costsScreen } from './costs.ts';
import { endpointScreen } from './endpoint.ts';
import { frame } from './frame.ts';
import { job } from './job.ts';
import { jobsPage } from './jobs-page.ts';
import { keyScreen } from './keys.ts';
import { overview } from './overview.ts';
import { playground } from './playground.ts';
import type { Screen, State } from './screen.ts';
import { templates } from './templates.ts';

export const screens: readonly Screen[] = [
  overview,
  endpointScreen,
  jobsPage,
  costsScreen,
  job,
  playground,
  templates,
  keyScreen,
  frame,
];

/** A state with the responses of its screen, and the name of its pictures, such as `overview-empty`. */
export const states: readonly State[] = screens.flatMap(({ name, answers, states: own }) =>
  own.map((state) => ({ ...state, name: `${name}-${state.name}`, answers: { ...answers, ...state.answers } })),
);
