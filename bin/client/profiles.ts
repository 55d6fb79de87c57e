/** Profiles of deployments: the address and the API key that `login` has stored, by name. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const profileSchema = z.object({
  /** Address of the deployment, without the version of an interface, such as `https://gpu.example.com`. */
  url: z.url(),
  key: z.string(),
});
const profilesSchema = z.record(z.string(), profileSchema);

export type Profile = z.infer<typeof profileSchema>;
export type Profiles = Readonly<Record<string, Profile>>;

/** Only the user can read the file, because it contains keys. */
const OF_USER = { file: 0o600, folder: 0o700 } as const;

/** Returns the path of the file with the profiles. */
export function profilesFile({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv = process.env): string {
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'gpu-endpoints', 'profiles.json');
}

/** @throws Error if the file is damaged */
export function readProfiles(file: string = profilesFile()): Profiles {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return profilesSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged: delete it, and log in again.`, { cause: error });
  }
}

/** Replaces the file as a whole, so that a command that reads it meanwhile finds either content. */
export function writeProfiles(profiles: Profiles, file: string = profilesFile()): void {
  mkdirSync(dirname(file), { recursive: true, mode: OF_USER.folder });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: OF_USER.file });
  chmodSync(next, OF_USER.file);
  renameSync(next, file);
}
