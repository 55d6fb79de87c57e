/** `GET /v1/session`: who the token is of and what it may do. */
export interface Session {
  /** How the user is called: the name in the user pool. */
  readonly user: string;
  readonly groups: readonly string[];
  /** The owner that the user acts as: whose private templates are shown. */
  readonly owner: string;
  /** Operations that the user may call. */
  readonly operations: readonly string[];
}
