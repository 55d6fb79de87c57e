/** Writes the file for LOCAL_IMAGES, with the commands that replace images. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Command {
  readonly endpoint: string;
  readonly command: readonly string[];
}

/** Returns the name of the image in the endpoint's file. */
export const imageOf = (endpoint: string): string => `test/${endpoint}`;

const fileIn = (stateDir: string): string => join(stateDir, 'images.yaml');

/**
 * Writes the file.
 * @returns its path
 */
export function writeImages(stateDir: string, commands: readonly Command[]): string {
  const file = fileIn(stateDir);
  const images = commands.map(({ endpoint, command }) => [imageOf(endpoint), { command }] as const);
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(Object.fromEntries(images)));
  return file;
}

/** Returns the command that replaces the endpoint's image. */
export function commandOf(stateDir: string, endpoint: string): readonly string[] {
  const images = JSON.parse(readFileSync(fileIn(stateDir), 'utf8')) as Record<string, Omit<Command, 'endpoint'>>;
  return images[imageOf(endpoint)]?.command ?? [];
}
