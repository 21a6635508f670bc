// Rekeys a certificate: issues one with the same subject and SANs for a new key.
import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RejectionCallout } from '../../ui/rejection.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useMay } from '../../kit/use-may.ts';
import { useSubmission } from '../../kit/use-submission.ts';
import { NOT_RENEWABLE_REASON, raProfilePathOf, type RaProfilePath } from '../certificates/ra-profile-path.ts';
import { certificateQuery } from '../../queries/certificates.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import type { CertificateDetail } from '../certificates/shapes.ts';
import { useReplacement } from '../entities/replacement.tsx';
import { useCustomFields, type CustomFields } from '../custom-attributes/use-custom-fields.ts';
import { CustomPanel } from './custom-panel.tsx';
import classes from './issue.module.css';
import { KeySource, useKeySource, type KeySourceModel } from './key-source.tsx';
import { storeKey } from './generated-keys.ts';
import { contentsFromCertificate } from './generate-key.ts';
import { SubmitRow } from './submit-row.tsx';
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { toCanonicalJson } from '../../ui/attributes/attribute-content.ts';

export function RekeyPage() {
  const certificate = useQuery(certificateQuery(useUuid()));
  return (
    <QueryView of={certificate} what="the certificate">
      {(certificate) => (
        <Page
          title={`Rekey ${titleOf(certificate)}`}
          description="Issues a certificate with the same subject and SANs for a new key."
          parent={{ to: paths.certificates.one(certificate.uuid), label: titleOf(certificate) }}
        >
          <Rekey certificate={certificate} />
        </Page>
      )}
    </QueryView>
  );
}

function Rekey({ certificate }: { readonly certificate: CertificateDetail }) {
  const place = certificate.state === 'issued' ? raProfilePathOf(certificate) : undefined;
  if (!place) return <CannotRekey why="Only issued certificates that belong to an RA profile can be rekeyed." />;
  return <RekeyWithProfile certificate={certificate} place={place} />;
}

function RekeyWithProfile({ certificate, place }: RekeyFormProps) {
  const profile = useQuery(raProfileQuery(place.raProfileUuid));
  return (
    <QueryView of={profile} what="the RA profile" inPanel>
      {({ legacyAuthority }) =>
        legacyAuthority ? (
          <CannotRekey why={NOT_RENEWABLE_REASON} />
        ) : (
          <RekeyForm certificate={certificate} place={place} />
        )
      }
    </QueryView>
  );
}

const CannotRekey = ({ why }: { readonly why: string }) => (
  <Panel>
    <Empty title="This certificate cannot be rekeyed">{why}</Empty>
  </Panel>
);

interface RekeyFormProps {
  readonly certificate: CertificateDetail;
  readonly place: RaProfilePath;
}

const ONLY_WITH_ITS_KEY =
  'The private key is not sent. Locations that have their own key reject a certificate for a different key.';

function RekeyForm({ certificate, place }: RekeyFormProps) {
  const keys = useKeySource(certificate.key?.uuid);
  const isMade = keys.source === 'make';
  const custom = useCustomFields('certificates', certificate.customAttributes ?? []);
  const maySetValues = useMay()(['certificates', 'update']);
  const replacement = useReplacement(certificate.uuid, ONLY_WITH_ITS_KEY);
  const { submission, guard, submit } = useRekey(
    { certificate, place },
    { keys, custom: maySetValues ? custom : undefined, replaceInLocations: replacement.isWanted },
  );
  return (
    <form
      className={classes.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {guard}
      <UnchangedValues certificate={certificate} />
      <Panel title="New key">
        <KeySource keys={keys} refusal={submission.problemOf('request')} />
      </Panel>
      {maySetValues && <CustomPanel custom={custom} />}
      {replacement.field && <Panel title="Deployments">{replacement.field}</Panel>}
      <RejectionCallout refusal={submission.refusal} />
      <SubmitRow label="Rekey certificate" isReady={keys.isReady} isPending={submission.isPending} isMade={isMade} />
    </form>
  );
}

interface RekeyResult {
  readonly uuid: string;
  /** Set if the key was generated here. */
  readonly privateKey: string | undefined;
}

interface RekeySpec {
  readonly keys: KeySourceModel;
  /** If absent, the custom attributes of the old certificate are copied. */
  readonly custom: CustomFields | undefined;
  readonly replaceInLocations: boolean;
}

function useRekey({ certificate, place }: RekeyFormProps, { keys, custom, replaceInLocations }: RekeySpec) {
  const submission = useSubmission(keys.source === 'paste' ? ['request'] : []);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { guard, release } = useUnsaved(
    keys.csr.trim() !== '' || keys.token.chosen !== undefined || custom?.isDirty === true,
    {
      question: 'Leave without rekeying?',
      consequence: 'What you entered will be lost.',
    },
  );
  const rekey = async (): Promise<RekeyResult> => {
    const { body, privateKey } = await keys.prepare(() =>
      contentsFromCertificate(Uint8Array.fromBase64(certificate.certificateContent ?? '')),
    );
    const { uuid } = await api.clientOperations.rekeyCertificate({
      params: { ...place, certificateUuid: certificate.uuid },
      body: { ...body, replaceInLocations },
    });
    return { uuid, privateKey };
  };
  /** The certificate exists even if its attributes cannot be set, so a failure is only reported. */
  const setValues = async (certificateUuid: string): Promise<void> => {
    const requested = custom?.request().customAttributes ?? [];
    await setChangedValues({ certificateUuid, present: certificate.customAttributes ?? [], requested }).catch(
      notify.failed,
    );
  };
  const submit = async (): Promise<void> => {
    if (!keys.isReady || submission.isPending || custom?.check() === false || !keys.check()) return;
    const files = await submission.send(rekey);
    if (!files) return;
    await setValues(files.uuid);
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    await queries.invalidateQueries({ queryKey: ['locations'] });
    release();
    if (files.privateKey !== undefined) {
      storeKey(files.uuid, files.privateKey);
      return navigate({ to: paths.certificates.rekeyed(files.uuid, certificate.uuid) });
    }
    notify.done(`${titleOf(certificate)} was rekeyed. This is the new certificate.`);
    await navigate({ to: paths.certificates.one(files.uuid) });
  };
  return { submission, guard, submit };
}

function UnchangedValues({ certificate }: { readonly certificate: CertificateDetail }) {
  const names = Object.values(certificate.subjectAlternativeNames ?? {}).flat();
  return (
    <Panel title="Unchanged">
      <Stack gap="md">
        <Facts
          facts={[
            { name: 'Subject', value: certificate.subjectDn },
            { name: 'Names', value: names.join('\n') },
            { name: 'RA profile', value: certificate.raProfile?.name },
          ]}
        />
        <Text size="sm" c="dimmed">
          The current certificate stays valid with its own key until it expires or is revoked. Revoke it once the new
          one is installed, or immediately if its key may be compromised. To keep the key, renew the certificate
          instead.
        </Text>
      </Stack>
    </Panel>
  );
}

interface ChangedValues {
  readonly certificateUuid: string;
  /** Values of the predecessor. */
  readonly present: readonly ResponseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

/**
 * Custom attributes of a rekeyed certificate are copied from its predecessor; changes are applied afterwards, because
 * the rekey request cannot contain them.
 */
async function setChangedValues({ certificateUuid, present, requested }: ChangedValues): Promise<void> {
  for (const { uuid: attributeUuid, name, content } of requested) {
    const before = present.find((value) => value.name === name)?.content ?? [];
    if (toCanonicalJson(before) === toCanonicalJson(content)) continue;
    const params = { resourceName: 'certificates', objectUuid: certificateUuid, attributeUuid } as const;
    await api.customAttributes.updateAttributeContentForResource({ params, body: content });
  }
}
