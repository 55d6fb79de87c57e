/** `npm run generate`: generates the page of all commands from their help. */
import { commandsPage } from './pages/commands.ts';
import { runGenerator } from './pages/generator.ts';

runGenerator({ command: 'generate', files: { 'docs/reference/commands.md': commandsPage } }, process.argv.slice(2));
