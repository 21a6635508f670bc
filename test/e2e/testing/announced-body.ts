// Requests whose body is announced, and sent in part or not at all.

export interface Announced {
  readonly token?: string;
  readonly length?: number;
  readonly headers?: string;
}

/** The head of a request with a body of JSON that is still to come. */
export const announce = (line: string, { token, length = 1_000, headers = '' }: Announced = {}): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
  `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}${headers}\r\n`;
