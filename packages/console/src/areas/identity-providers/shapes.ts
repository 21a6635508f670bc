// An identity provider as its pages have it.
import type { OAuth2ProviderSettingsResponseDto } from '@signetry/contract';

/** Known by its name, which is part of its addresses. */
export type IdentityProvider = OAuth2ProviderSettingsResponseDto & { readonly uuid: string };
