// Building blocks of the instructions for ACME clients. Pure.

/** Path of the root certificate on the client's machine. */
export const ROOT_FILE = '/etc/signetry/root-ca.pem';

export interface ExternalKey {
  readonly keyId: string;
  readonly macKey: string;
}

/** Placeholder for the user's own key. */
export const EXAMPLE_KEY: ExternalKey = { keyId: 'KEY_ID', macKey: 'MAC_KEY' };

export interface Setup {
  readonly directoryUrl: string;
  /** Contains at least one name. */
  readonly names: readonly [string, ...string[]];
  readonly email: string;
  /** Present if accounts require an external account key. */
  readonly externalKey: ExternalKey | undefined;
  /** Base64 encoding of the PEM text, for configuration files that embed the certificate. */
  readonly rootBase64: string;
}

/** Text to paste into a shell or a file, with explanations. */
export interface Snippet {
  /** Short description of the step. */
  readonly title: string;
  /** Explanation above the text. */
  readonly before?: string;
  readonly place: string;
  readonly text: string;
  /** Explanation below the text. */
  readonly after?: string;
}

/** How the client trusts the directory: through a file, the Windows certificate store, or the snippet itself. */
export type TrustMethod = 'file' | 'windows' | 'snippet';

export interface AcmeClient {
  readonly id: string;
  readonly label: string;
  readonly trust: TrustMethod;
  readonly snippets: (setup: Setup) => readonly Snippet[];
  readonly renewal: string;
  /**
   * Set if the instructions are based only on the client's documentation. All other clients were tested against the
   * platform.
   */
  readonly untried?: true;
}

/** Returns a multi-line command; parts that do not apply are omitted. */
export const command = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' \\\n  ');

/** Returns a word of a shell command, quoted if needed: shells expand asterisks and other characters. */
export const quoteWord = (text: string): string => (/^[\w.:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", '')}'`);

/** Returns the lines of a file; lines that do not apply are omitted. */
export const joinLines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n');

const PLACEHOLDER = 'www.example.com';

/** Returns the names in a text, or an example if there are none. */
export function namesFrom(text: string): readonly [string, ...string[]] {
  const [first = PLACEHOLDER, ...others] = text.split(/[\s,;]+/).filter((name) => name !== '');
  return [first, ...others];
}
