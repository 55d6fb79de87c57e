/** `kill -USR2` to `npm start` is what Fargate Spot does when it wants capacity back: the oldest worker has to go. */
import type { Ecs } from './ecs.ts';

/** @returns stops listening */
export function onSpotSignal(ecs: Pick<Ecs, 'interrupt'>, note: (text: string) => void): () => void {
  const interrupt = () => {
    const task = ecs.interrupt();
    if (task === undefined) note('No worker runs whose spot capacity could be taken back.');
    else note(`The spot capacity of worker ${task} is taken back: it ends within two minutes.`);
  };
  process.on('SIGUSR2', interrupt);
  return () => process.off('SIGUSR2', interrupt);
}
