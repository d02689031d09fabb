import type { Idp, Rule } from "../../api/types.js";
import type { RecordKind } from "../../parts/records/kind.js";
import { Counted } from "../../parts/counts/counted.js";
import { useCounts } from "../../parts/counts/use-counts.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { UsedBy } from "../../parts/records/used-by.js";
import { useScope } from "../../session/use-session.js";
import { NEW_IDP, toBody, toDraft, TYPE_WORDS, type Draft } from "./draft.js";
import { Certificate } from "./certificate.js";
import { FetchedMetadata } from "./fetched-metadata.js";
import { IdpFields } from "./idp-fields.js";
import { Metadata } from "./metadata.js";
import { requests, type Body } from "./requests.js";

export const IDPS: RecordKind<Idp, Draft, Body> = {
  title: "Identity providers",
  about: "Where people sign in. Rules choose one of them for each login; one that is off is skipped.",
  one: "identity provider",
  many: "identity providers",
  path: "/api/v1/idps",
  page: "/idps",
  key: "idps",
  scope: "idps",
  empty: "Add the first one: it needs a name and the sign-on address. Then add a rule that leads to it.",
  requests,
  newDraft: NEW_IDP,
  toDraft,
  toBody,
  labels: {
    name: "Name",
    type: "Type",
    protocolType: "Protocol",
    url: "Sign-on address",
    binding: "Binding",
    issuer: "Issuer",
    audience: "Audience",
    certificate: "Certificate",
    clientId: "Client id",
    metadataUrl: "Metadata address",
    isOn: "The identity provider is on",
  },
  Fields: IdpFields,
  summarize: ({ type, protocol }) => `${TYPE_WORDS[type]} · ${protocol.endpoints.sso.url}`,
  uses,
  Note: IdpNote,
  Details: IdpDetails,
};

/** The identity providers of the org. */
export function Idps() {
  return <RecordPage kind={IDPS} />;
}

function IdpNote({ record }: Readonly<{ record: Idp }>) {
  return useScope("policies.read") ? <IdpCounts id={record.id} /> : null;
}

function IdpCounts({ id }: Readonly<{ id: string }>) {
  return <Counted id={id} counts={useCounts()} />;
}

function uses({ id }: Idp, { actions: { idp } }: Rule): boolean {
  return idp.idpSelectionType !== "DYNAMIC" && idp.providers.some((provider) => provider.id === id);
}

function IdpDetails({ record }: Readonly<{ record: Idp }>) {
  const note = (rules: readonly Rule[]) =>
    rules.some(({ actions: { idp } }) => idp.idpSelectionType === "DYNAMIC")
      ? "A rule that finds its provider by name may lead here too."
      : undefined;
  return (
    <>
      <Certificate idp={record} />
      <FetchedMetadata idp={record} />
      <Metadata idp={record} />
      <UsedBy uses={(rule) => uses(record, rule)} note={note} />
    </>
  );
}
