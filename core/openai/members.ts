/**
 * Members of the input and output of a job of `/openai/*`. The first two are RunPod's: its worker for vLLM reads them.
 */
export const openAiMembers = {
  /** Path below `/openai`, such as `/v1/chat/completions`. */
  route: 'openai_route',
  /** Body of the request, as unchanged JSON. A request without a body is a GET. */
  input: 'openai_input',
  /** Query string, without its question mark. */
  query: 'openai_query',
  /** Media type of a body that is not JSON, and its bytes in base64. */
  contentType: 'openai_content_type',
  base64: 'openai_base64',
  /** HTTP status by which a server has refused the call. */
  status: 'openai_status',
} as const;
