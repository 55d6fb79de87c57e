/**
 * Members of the input and output of a job of `/openai/*`. The first two are also read by RunPod's worker for
 * vLLM.
 */
export const openAiMembers = {
  /** Path below `/openai`, such as `/v1/chat/completions`. */
  route: 'openai_route',
  /** Method of the request; absent for a GET and for a POST, which differ in their body. */
  method: 'openai_method',
  /** Body of the request, as unchanged JSON; absent for a GET. */
  input: 'openai_input',
  /** Query string, without its question mark. */
  query: 'openai_query',
  /** Media type of a body that is not JSON, and its bytes in base64. */
  contentType: 'openai_content_type',
  base64: 'openai_base64',
  /** Id of the job, with which an output begins that the agent has written (`core/openai/envelope.ts`). */
  job: 'openai_job',
  /** HTTP status with which a server refused the call. */
  status: 'openai_status',
  /** Value of the header `Retry-After` with which a server refused the call. */
  retryAfter: 'openai_retry_after',
} as const;
