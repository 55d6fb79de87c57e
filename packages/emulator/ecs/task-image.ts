/** The image of a container, and the command that replaces it. */
import type { ContainerDefinition } from './definitions.ts';
import { ADDRESS, type Image } from './images.ts';

/**
 * Finds the image.
 * @param remedy what to do about an image that is not listed
 * @throws Error if the image is not listed, or lacks the health check that the container has
 */
export function imageOf(
  { name, image, healthCheck }: ContainerDefinition,
  known: ReadonlyMap<string, Image>,
  remedy = 'add a command for it to the file in LOCAL_IMAGES',
): Image {
  const found = known.get(image);
  if (!found) {
    const reason = `image ${image} cannot be pulled, because no list of images has it: ${remedy}`;
    throw new Error(reason, { cause: 'CannotPullContainerError' });
  }
  if (healthCheck && found.health === undefined)
    throw new Error(`container ${name} has a health check, but the list of images has none for its image`);
  return found;
}

/**
 * Returns the command of a container. Its entry point replaces the image's entry point and command; its command
 * replaces only the image's command.
 * @param address the address at which the container's server listens
 */
export function commandOf(
  { name, entryPoint = [], command }: ContainerDefinition,
  image: Image,
  address: string,
): Image['command'] {
  const ofImage = image.command.map((part) => part.replaceAll(ADDRESS, address));
  const own = command ?? (entryPoint.length > 0 ? [] : ofImage);
  const [program, ...args] = [...entryPoint, ...own];
  if (program === undefined) throw new Error(`container ${name} has an empty command`);
  return [program, ...args];
}
