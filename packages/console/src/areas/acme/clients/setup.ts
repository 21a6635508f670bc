// What the instructions for ACME clients are composed of. Pure.

/** Where the root certificate is on the machine of the client. */
export const ROOT_FILE = '/etc/signetry/root-ca.pem';

export interface ExternalKey {
  readonly keyId: string;
  readonly macKey: string;
}

/** Placeholder for the reader's own key. */
export const EXAMPLE_KEY: ExternalKey = { keyId: 'KEY_ID', macKey: 'MAC_KEY' };

export interface Setup {
  readonly directoryUrl: string;
  /** At least one. */
  readonly names: readonly [string, ...string[]];
  readonly email: string;
  /** Present where accounts require an external account key. */
  readonly externalKey: ExternalKey | undefined;
  /** PEM text in Base64, for configurations that contain the certificate. */
  readonly rootBase64: string;
}

/** A text for a shell or a file, with explanations. */
export interface Snippet {
  /** What it does, in a few words. */
  readonly title: string;
  /** Explanation above the text. */
  readonly before?: string;
  readonly place: string;
  readonly text: string;
  /** Explanation below the text. */
  readonly after?: string;
}

/** Where the client gets its trust in the directory from: a file, the Windows store, or the snippet itself. */
export type TrustBy = 'file' | 'windows' | 'snippet';

export interface AcmeClient {
  readonly id: string;
  readonly label: string;
  readonly trust: TrustBy;
  readonly snippets: (setup: Setup) => readonly Snippet[];
  readonly renewal: string;
  /** Written after the client's documentation; everything else was run against the platform. */
  readonly untried?: true;
}

/** A command over several lines; parts that do not apply are left out. */
export const command = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' \\\n  ');

/** A word of a shell command, quoted where needed: shells expand asterisks, among others. */
export const word = (text: string): string => (/^[\w.:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", '')}'`);

/** Lines of a file; lines that do not apply are left out. */
export const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n');

const PLACEHOLDER = 'www.example.com';

/** The names in a text; an example if there are none. */
export function namesFrom(text: string): readonly [string, ...string[]] {
  const [first = PLACEHOLDER, ...others] = text.split(/[\s,;]+/).filter((name) => name !== '');
  return [first, ...others];
}
