/** `gpu-endpoints complete`: completion for shells, with the values of options that the library cannot know. */
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import addCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { jobStatuses } from '../core/jobs/job.ts';
import { readProfiles } from './client/profiles.ts';
import { LOCAL } from './environment-name.ts';
import { withExample } from './example.ts';

/**
 * Completion for bash, of `gpu-endpoints` and `npx gpu-endpoints`. That of the library needs bash-completion, and fails
 * when it is read twice.
 */
const BASH = `# completion of gpu-endpoints for bash
_gpu_endpoints() {
  local from=1 program=gpu-endpoints value
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[1]} == gpu-endpoints ]] || return
    from=2 program=npx
    [[ -x node_modules/.bin/gpu-endpoints ]] && program=node_modules/.bin/gpu-endpoints
  fi
  local words=("\${COMP_WORDS[@]:from:COMP_CWORD - from + 1}")
  [[ $program == npx ]] && words=(gpu-endpoints complete -- "\${words[@]}") || words=(complete -- "\${words[@]}")
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    [[ $value == :* ]] || COMPREPLY+=("$value")
  done < <("$program" "\${words[@]}" 2>/dev/null)
}
complete -o default -F _gpu_endpoints gpu-endpoints npx
`;

/** Completes `npx gpu-endpoints` by the function of the library for zsh, which calls `gpu-endpoints`. */
const ZSH_NPX = `
_gpu_endpoints_npx() {
  if (( CURRENT > 2 )) && [[ \${words[2]} == gpu-endpoints ]]; then
    local -x PATH="$PWD/node_modules/.bin:$PATH"
    shift words
    (( CURRENT -= 1 ))
    _gpu-endpoints
  else
    _default
  fi
}
compdef _gpu_endpoints_npx npx
`;

const NOTES = `To install it, also for \`npx gpu-endpoints\`, add a line to ~/.bashrc or, after compinit, to ~/.zshrc:
  source <(npx gpu-endpoints complete bash)
  source <(npx gpu-endpoints complete zsh)
npx needs a folder in which the package is installed. Install the package with npm install -g to complete
\`gpu-endpoints\` in every folder.`;

function environments(): readonly string[] {
  try {
    return readdirSync(join(process.cwd(), 'environments'))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => parse(file).name);
  } catch {
    return [];
  }
}

/** Values of options by their name. */
const values: Readonly<Record<string, () => readonly string[]>> = {
  env: () => [...new Set([LOCAL, ...Object.keys(readProfiles()), ...environments()])],
  status: () => jobStatuses,
};

/** Adds the command `complete`. All other commands must be there. */
export function addShellCompletion(program: Command): void {
  const completions = addCompletion(program);
  for (const command of completions.commands.values())
    for (const [option, list] of Object.entries(values)) {
      const found = command.options.get(option);
      if (found)
        found.handler = (complete) => {
          for (const value of list()) complete(value, '');
        };
    }
  const setup = completions.setup.bind(completions);
  completions.setup = (name, executable, shell) => {
    if (shell === 'bash') console.log(BASH);
    else setup(name, executable, shell);
    if (shell === 'zsh') console.log(ZSH_NPX);
  };
  const command = program.commands.find((one) => one.name() === 'complete');
  if (!command) throw new Error('The library has added no command for completion.');
  command.helpGroup('The shell:').description('print a completion for bash, zsh, fish or powershell');
  withExample(command, 'complete bash > ~/.gpu-endpoints-completion', NOTES);
}
