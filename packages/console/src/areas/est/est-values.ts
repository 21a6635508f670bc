// Form values of an EST profile, converted from and to the platform's DTOs.
import type { EstProfile } from '../../queries/protocols.ts';
import { commonValuesOf, emptyCommon, type CommonValues, type Given } from '../protocols/settings/use-profile-form.ts';
import { requestedBodyOf, requestedValuesOf, type RequestedValues } from './requested-values.ts';
import type { UserValues } from './users-field.tsx';

export interface EstValues extends CommonValues, RequestedValues {
  readonly isDefault: boolean;
  readonly ownCertificates: boolean;
  readonly trustedCertificateUuids: readonly string[];
  readonly oneTimePasswords: boolean;
  readonly passwordsRenew: boolean;
  readonly renewalsKeepNames: boolean;
  /** Undefined if not decided yet. */
  readonly bindNames: boolean | undefined;
  readonly requireLinking: boolean;
  readonly manualApproval: boolean;
  readonly serverKeys: boolean;
  /** In seconds. */
  readonly retryAfter: number;
  readonly users: readonly UserValues[];
}

export const valuesOf = (profile: EstProfile | undefined): EstValues => ({
  ...(profile ? commonValuesOf(profile) : emptyCommon),
  isDefault: profile?.isDefault ?? false,
  ownCertificates: profile?.ownCertificates ?? true,
  trustedCertificateUuids: profile?.trustedCertificateUuids ?? [],
  oneTimePasswords: profile?.oneTimePasswords ?? true,
  passwordsRenew: profile?.passwordsRenew ?? false,
  renewalsKeepNames: profile?.renewalsKeepNames ?? true,
  bindNames: profile ? profile.bindNames : true,
  requireLinking: profile?.requireLinking ?? false,
  ...requestedValuesOf(profile?.requestedAttributes ?? {}),
  manualApproval: profile?.manualApproval ?? false,
  serverKeys: profile?.serverKeys ?? false,
  retryAfter: profile?.retryAfter ?? 60,
  users: (profile?.users ?? []).map(({ username }) => ({ username, password: '', isKnown: true })),
});

export const bodyOf = (values: EstValues, { common, attributes }: Given) => ({
  ...common,
  issueCertificateAttributes: attributes.issueCertificateAttributes,
  isDefault: values.isDefault,
  ownCertificates: values.ownCertificates,
  trustedCertificateUuids: [...values.trustedCertificateUuids],
  oneTimePasswords: values.oneTimePasswords,
  passwordsRenew: values.passwordsRenew,
  renewalsKeepNames: values.renewalsKeepNames,
  ...(values.bindNames !== undefined && { bindNames: values.bindNames }),
  requireLinking: values.requireLinking,
  requestedAttributes: requestedBodyOf(values),
  manualApproval: values.manualApproval,
  serverKeys: values.serverKeys,
  retryAfter: values.retryAfter,
  users: values.users.map(({ username, password }) => ({
    username: username.trim(),
    ...(password === '' ? {} : { password }),
  })),
});
