/** The programs of the tutorials. All blocks of a language below a heading are one program. */
export const tutorials = [
  { page: 'docs/tutorials/openai-clients.md', heading: 'Python', runs: 'Python', language: 'python' },
  { page: 'docs/tutorials/openai-clients.md', heading: 'JavaScript', runs: 'JavaScript', language: 'js' },
  { page: 'docs/tutorials/openai-clients.md', heading: 'LangChain', runs: 'LangChain', language: 'python' },
  { page: 'docs/tutorials/from-runpod.md', heading: 'Python', runs: 'RunPod in Python', language: 'python' },
  {
    page: 'docs/tutorials/from-runpod.md',
    heading: 'Python with asyncio',
    runs: 'RunPod in Python',
    language: 'python',
  },
  { page: 'docs/tutorials/from-runpod.md', heading: 'JavaScript', runs: 'JavaScript', language: 'js' },
] as const;

export type Tutorial = (typeof tutorials)[number];
