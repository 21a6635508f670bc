// What the instructions for ACME clients are made from. Pure.

/** Where the root certificate lies on the machine of the client. */
export const ROOT_FILE = '/etc/signetry/root-ca.pem';

export interface ExternalKey {
  readonly keyId: string;
  readonly macKey: string;
}

/** Stands where the key of the reader belongs. */
export const EXAMPLE_KEY: ExternalKey = { keyId: 'KEY_ID', macKey: 'MAC_KEY' };

export interface Setup {
  readonly directoryUrl: string;
  /** At least one. */
  readonly names: readonly [string, ...string[]];
  readonly email: string;
  /** Present when accounts need a key that was handed out. */
  readonly externalKey: ExternalKey | undefined;
  /** PEM text in Base64, for configurations that carry the certificate in themselves. */
  readonly rootBase64: string;
}

/** A text for a shell or a file, with what is to be known about it. */
export interface Snippet {
  /** What it does, in a few words. */
  readonly title: string;
  /** What is to be known before, above the text. */
  readonly before?: string;
  readonly place: string;
  readonly text: string;
  /** What is to be known after. */
  readonly after?: string;
}

/** How the machine learns to trust the directory: from a file, from the store of Windows, or by the snippet itself. */
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

/** A word of a shell command; shells read an asterisk, among others, as something else. */
export const word = (text: string): string => (/^[\w.:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", '')}'`);

/** Lines of a file; lines that do not apply are left out. */
export const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n');

const PLACEHOLDER = 'www.example.com';

/** What somebody typed, as names; an example when it is none. */
export function namesFrom(text: string): readonly [string, ...string[]] {
  const [first = PLACEHOLDER, ...others] = text.split(/[\s,;]+/).filter((name) => name !== '');
  return [first, ...others];
}
