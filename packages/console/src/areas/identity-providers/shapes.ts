// An identity provider, as used by its pages.
import type { OAuth2ProviderSettingsResponseDto } from '@signetry/contract';

/** Identified by its name, which is part of its URLs. */
export type IdentityProvider = OAuth2ProviderSettingsResponseDto & { readonly uuid: string };
