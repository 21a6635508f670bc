// Protocols in the list of requests: those with enrollment requests, and ACME, whose rejected registrations are listed.
import type { ListedProtocol } from '@signetry/contract';
import { paths } from '../../../kit/paths.ts';
import { protocols, type Protocol } from '../protocol.ts';

/** Facts about a protocol in the list. */
export interface ListedEntry extends Pick<Protocol, 'label' | 'resource'> {
  readonly paths: { readonly one: (uuid: string) => string };
}

export const listedProtocols: Readonly<Record<ListedProtocol, ListedEntry>> = {
  ...protocols,
  acme: { label: 'ACME', paths: paths.acme, resource: 'acmeProfiles' },
};
