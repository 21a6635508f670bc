// The limits in force, from the settings that name them.
import type { LimitName, Rate } from '../platform/limits/rate-limits.ts';
import type { Settings } from './settings.ts';

export const ratesOf = (values: Settings): Readonly<Record<LimitName, Rate | undefined>> => ({
  failedSignIns: values.limitFailedSignIns,
  failedSignInsOfUser: values.limitFailedSignInsOfUser,
  failedEnrolments: values.limitFailedEnrolments,
  failedEnrolmentsOfProfile: values.limitFailedEnrolmentsOfProfile,
  passkeyChallenges: values.limitPasskeyChallenges,
  newCredentials: values.limitNewCredentials,
  refusedChanges: values.limitRefusedChanges,
  connectorRegistrations: values.limitConnectorRegistrations,
  acmeAccounts: values.limitAcmeAccounts,
  acmeOrders: values.limitAcmeOrders,
  acmeFailedValidations: values.limitAcmeFailedValidations,
});
