// Call errors: the call was rejected, or there was no response.

/** Maximum length of an unrecognized body that is used as a message. */
const MAX_QUOTED_TEXT = 500;

/** The platform or connector rejected the call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable name of the error, if the response has one. */
  readonly code: string | undefined;
  /** Business validation findings (422), one sentence each; otherwise empty. */
  readonly problems: readonly string[];
  /** The response body, for members other than the message. */
  readonly body: unknown;

  constructor(
    status: number,
    facts: { message: string; code?: string | undefined; problems?: readonly string[]; body?: unknown },
  ) {
    super(facts.message);
    this.status = status;
    this.code = facts.code;
    this.problems = facts.problems ?? [];
    this.body = facts.body;
  }
}

/** No response: the host is unreachable, the connection was lost, or the call timed out. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly timedOut: boolean;

  constructor(message: string, options: { cause: unknown; timedOut: boolean }) {
    super(message, { cause: options.cause });
    this.timedOut = options.timedOut;
  }
}

/**
 * Parses all forms of error bodies: a list of findings, an object with a message, or an error page from a proxy in
 * front of the platform.
 */
export function apiError(status: number, text: string): ApiError {
  const body = parseBody(text);
  if (Array.isArray(body)) {
    const problems = body.map(String);
    return new ApiError(status, { message: problems.join('; ') || statusText(status), problems, body });
  }
  if (typeof body === 'object' && body !== null) {
    const { message, code } = body as { message?: unknown; code?: unknown }; // Members are checked below.
    return new ApiError(status, {
      message: typeof message === 'string' && message !== '' ? message : statusText(status),
      code: typeof code === 'string' ? code : undefined,
      body,
    });
  }
  return new ApiError(status, { message: text.trim().slice(0, MAX_QUOTED_TEXT) || statusText(status), body });
}

const statusText = (status: number) => `The request was rejected with status ${status}.`;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // The text is a proxy's error page, not an API response.
  }
}
