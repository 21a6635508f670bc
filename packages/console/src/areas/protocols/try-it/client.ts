// What the commands to try a protocol are composed of. Pure.
import type { Snippet, TrustBy } from '../../acme/clients/setup.ts';

export interface TrySetup {
  /** Address of the profile. */
  readonly url: string;
  /** Name of the profile. */
  readonly profile: string;
  /** Host name that the certificate is for. */
  readonly host: string;
}

export interface TryClient {
  readonly id: string;
  readonly label: string;
  /** Where it gets its trust in the TLS certificate from: a file, the Windows store, or in a way of its own. */
  readonly trust: Exclude<TrustBy, 'snippet'> | 'itself';
  readonly snippets: (setup: TrySetup) => readonly Snippet[];
  /** How it goes on: renewal, and what to know. */
  readonly remark: string;
  /** Written after the documentation of the client; everything else was run against the platform. */
  readonly untried?: true;
}

/** What a profile wants to know of a client, as a step before the commands. */
export interface SecretStep {
  readonly title: string;
  readonly text: string;
  /** A one-time secret can take its place. */
  readonly takesOneTime: boolean;
}

export const hostOf = (url: string): string => new URL(url).host;
export const hostNameOf = (url: string): string => new URL(url).hostname;
export const portOf = (url: string): string => {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
};
