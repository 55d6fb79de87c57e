/** The tested versions of RunPod's Python SDK and of the worker repositories. */

/** Tested SDK versions, the newest one last. */
export const SDK_VERSIONS = ['1.6.2', '1.7.4', '1.7.13', '1.8.2', '1.9.1', '1.10.1', '1.12.0'] as const;

/** First SDK version that asks which jobs to stop, and cancels their tasks. */
const FIRST_THAT_STOPS = [1, 10];

export function stopsJobs(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [firstMajor = 0, firstMinor = 0] = FIRST_THAT_STOPS;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** Returns whether a process of this version stays after `sys.exit` in a handler, and no longer asks for jobs. */
export const isSilentAfterExit = (version: string): boolean => version === '1.7.4';

export interface Pin {
  /** Name of the repository in GitHub's `runpod-workers`, and of the folder in WORKERS_DIR. */
  readonly repository: string;
  readonly commit: string;
  /** The SDK version in its requirements, and the other packages that its handler imports. */
  readonly sdk: string;
  readonly packages: readonly string[];
  /** SHA-256 of files of the commit, by path. The documentation covers only this commit. */
  readonly files: Readonly<Record<string, string>>;
}

export const pins = {
  vllm: {
    repository: 'worker-vllm',
    commit: '7a925039',
    sdk: '1.12.0',
    packages: ['huggingface-hub==0.36.0'],
    files: {
      'src/main.py': '3222515e09586f9fe637c701829f6398ce422457735eaf2d327f8379de013c3c',
      'src/handler.py': '286ac75c2ebb8a84efbcaebc8121cd6ca35540d505aec3abd4698a263fa1fee0',
    },
  },
  whisper: {
    repository: 'worker-faster_whisper',
    commit: 'bd500dc8',
    sdk: '1.7.13',
    packages: ['numpy==2.2.6'],
    files: {
      'src/rp_handler.py': 'aca9fcf1ab835528e20d391647ca41815b68d3cbd0bc1e33551c323ed1f753c3',
      'src/predict.py': 'd4c646c07831e5632af3234c6481ed9057c8e7101f97cf0f8e0c6bf539d0bfc1',
    },
  },
  comfyui: {
    repository: 'worker-comfyui',
    commit: 'd2a55723',
    sdk: '1.7.13',
    packages: ['websocket-client==1.8.0'],
    files: {
      'handler.py': 'c43fcc2bfff6cbb60555d7839b902c54de8a9a55ba20caba2bbd3adf9c2886ec',
    },
  },
} as const satisfies Readonly<Record<string, Pin>>;

export type WorkerName = keyof typeof pins;
