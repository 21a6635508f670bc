// Common parts of the profiles of all protocols: an RA profile under which certificates are issued and its attributes,
// an owner and groups for certificates, activation on RA profiles, names in URLs, and the form that servers read.
// Provides functions for the profile areas, each of which declares its protocol and its columns. Owns: no table; each
// protocol's area owns its profile tables. Invariants: every change to a profile or its activations increments the
// profile's version in the same transaction; an RA profile has at most one profile per protocol; authorities are called
// before a transaction, never inside one.
export type { ShownProfileValues } from './custom-values.ts';
export { activateProfile, deactivateProfile, findActivation, type ActivationKey } from './activate-profiles.ts';
export { presentAssociation, type OwnerAndGroups } from './associations.ts';
export { profileHolder } from './certificate-attributes.ts';
export { changeProfile, insertProfile, setRaProfile } from './change-profiles.ts';
export {
  RESERVED_NAME,
  isNameInUrls,
  problemsOfName,
  protocolUrl,
  type ProfileFamily,
  type ServedEndpoint,
} from './profile-urls.ts';
export { setEnabled, setEnabledMany } from './enable-profiles.ts';
export { findProfiles, listNames } from './find-profiles.ts';
export { acceptIssuing, type IssuingSettings } from './issuing.ts';
export { createProfileParts, type ProfileAreas, type ProfileParts } from './profile-parts.ts';
export type { ProtocolFacts, ProtocolProfileRow } from './protocol.ts';
export { registerWithRaProfiles } from './ra-profile-removal.ts';
export { removeProfile, removeProfiles, type ProfileDependants, type RemovalParts } from './remove-profiles.ts';
export { profileReading } from './search-fields.ts';
export {
  createServedProfiles,
  servedRaProfile,
  type ServedProfile,
  type ServedProfiles,
  type ServedRaProfile,
} from './served-profiles.ts';
export {
  bindNames,
  description,
  optionalText,
  settingsOf,
  type ServedSettingsOf,
  type SettingsRowOf,
} from './settings-table.ts';
