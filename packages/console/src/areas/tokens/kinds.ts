// Token kinds offered by cryptography providers.
import { kindAmong, kindsOfTokens, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

/** Returns the token's kind, or undefined if its connector was removed. */
export const kindOf = (
  token: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): OfferedKind | undefined => kindAmong(kindsOfTokens(connectors), token);
