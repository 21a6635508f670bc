// An identity provider, as used by its pages.
import type { OAuth2ProviderSettingsResponseDto } from '@signetry/contract';

/** Providers are identified by their name, which is part of their URLs. */
export type IdentityProvider = OAuth2ProviderSettingsResponseDto & { readonly uuid: string };
