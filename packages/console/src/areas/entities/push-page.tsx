// Pushes a certificate from the inventory to a location.
import type { BaseAttributeDto } from '@signetry/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSubmission } from '../../kit/use-submission.ts';
import { locationQuery, pushDefinitionsQuery, type LocationDetail } from '../../queries/entities.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isShown } from '../../ui/attributes/attribute-values.ts';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RejectionCallout } from '../../ui/rejection.tsx';
import { CertificatePicker } from './certificate-picker.tsx';
import { occupantOf } from './location-actions.tsx';
import { useLocationPath } from './location-path.ts';
import { ReplacementNotice } from './replacement-notice.tsx';

export function PushPage() {
  const place = useLocationPath();
  const definitions = useQuery(pushDefinitionsQuery(place));
  return (
    <QueryView of={useQuery(locationQuery(place))} what="the location">
      {(location) => (
        <Page
          title="Push a certificate"
          description={`To ${location.name}, in ${location.entityInstanceName}. A pending certificate is installed once it is issued.`}
          parent={{ to: paths.locations.of(place.entityUuid).one(place.locationUuid), label: location.name }}
        >
          <QueryView of={definitions} what="the settings of the push" inPanel>
            {(definitions) => <PushForm location={location} definitions={definitions} />}
          </QueryView>
        </Page>
      )}
    </QueryView>
  );
}

interface PushFormProps {
  readonly location: LocationDetail;
  readonly definitions: readonly BaseAttributeDto[];
}

function PushForm({ location, definitions }: PushFormProps) {
  const { certificate: wanted }: { readonly certificate?: string } = useSearch({ strict: false });
  const [certificateUuid, choose] = useState(wanted);
  const place = useLocationPath();
  const form = useAttributeForm({
    source: location.uuid,
    definitions,
    present: location.certificates.find((each) => each.certificateUuid === certificateUuid)?.pushAttributes,
  });
  const occupant = occupantOf(location);
  const replaced = occupant?.certificateUuid === certificateUuid ? undefined : occupant;
  const { send, refusal, isPending } = useSubmission([], form);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const to = paths.locations.of(place.entityUuid).one(place.locationUuid);
  const push = async (): Promise<void> => {
    if (certificateUuid === undefined || isPending || !form.check()) return;
    const params = { ...place, certificateUuid };
    const body = { attributes: form.request(), replace: replaced !== undefined };
    const pushed = await send(() => api.locations.pushCertificate({ params, body }));
    await queries.invalidateQueries({ queryKey: ['locations'] });
    if (!pushed) return;
    notify.done(`The certificate was pushed to ${location.name}.`);
    await navigate({ to });
  };
  return (
    <form
      noValidate
      aria-label={`Push a certificate to ${location.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void push();
      }}
    >
      <Stack gap="lg" maw="52rem">
        <Panel>
          <Stack gap="md">
            <CertificatePicker uuid={certificateUuid} onChange={choose} />
            {location.supportKeyManagement && (
              <Text size="sm" c="dimmed">
                The private key is not sent; it must already be in the location. To generate a key there, issue a
                certificate in the location instead.
              </Text>
            )}
            {replaced && <ReplacementNotice certificate={replaced} />}
            {definitions.some(isShown) && <AttributeFields form={form} />}
          </Stack>
        </Panel>
        <RejectionCallout refusal={refusal} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" component={Link} to={to}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={certificateUuid === undefined}>
            Push
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
