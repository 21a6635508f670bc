// Building blocks of the client commands for a protocol. Pure.
import type { Snippet, TrustMethod } from '../../acme/clients/setup.ts';

export interface TrySetup {
  /** URL of the profile. */
  readonly url: string;
  /** Name of the profile. */
  readonly profile: string;
  /** Host name for which the certificate is requested. */
  readonly host: string;
}

export interface TryClient {
  readonly id: string;
  readonly label: string;
  /**
   * How the client trusts the TLS certificate: through a file, the Windows certificate store, or the client's own
   * mechanism.
   */
  readonly trust: Exclude<TrustMethod, 'snippet'> | 'itself';
  readonly snippets: (setup: TrySetup) => readonly Snippet[];
  /** Notes on renewal and on the client. */
  readonly remark: string;
  /**
   * Set if the commands are based only on the client's documentation. All other clients were tested against the
   * platform.
   */
  readonly untried?: true;
}

/** Step before the commands that provides the secret that a profile requires from its clients. */
export interface SecretStep {
  readonly title: string;
  readonly text: string;
  /** Whether a one-time secret can be used instead. */
  readonly takesOneTime: boolean;
}

export const hostOf = (url: string): string => new URL(url).host;
export const hostNameOf = (url: string): string => new URL(url).hostname;
export const portOf = (url: string): string => {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
};
