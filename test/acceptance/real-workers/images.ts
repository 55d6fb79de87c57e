/** Writes the commands that replace images into the file that LOCAL_IMAGES names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Command {
  readonly endpoint: string;
  readonly command: readonly string[];
}

/** The image that the file of an endpoint names. */
export const imageOf = (endpoint: string): string => `test/${endpoint}`;

const fileIn = (stateDir: string): string => join(stateDir, 'images.yaml');

/** @returns the file */
export function writeImages(stateDir: string, commands: readonly Command[]): string {
  const file = fileIn(stateDir);
  const images = commands.map(({ endpoint, command }) => [imageOf(endpoint), { command }] as const);
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(Object.fromEntries(images)));
  return file;
}

/** The command of the endpoint's image. */
export function commandOf(stateDir: string, endpoint: string): readonly string[] {
  const images = JSON.parse(readFileSync(fileIn(stateDir), 'utf8')) as Record<string, Omit<Command, 'endpoint'>>;
  return images[imageOf(endpoint)]?.command ?? [];
}
