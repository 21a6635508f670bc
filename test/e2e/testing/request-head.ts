// Requests with an announced body, of which only a part or nothing is sent.

export interface RequestHeadOptions {
  readonly token?: string;
  readonly length?: number;
  readonly headers?: string;
}

/** Returns the head of a request whose JSON body is still to be sent. */
export const requestHead = (line: string, { token, length = 1_000, headers = '' }: RequestHeadOptions = {}): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
  `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}${headers}\r\n`;
