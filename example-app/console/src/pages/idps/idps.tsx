import type { Idp, Rule } from "../../api/types.js";
import type { RecordKind } from "../../parts/records/kind.js";
import { Counted } from "../../parts/counts/counted.js";
import { useCounts } from "../../parts/counts/use-counts.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { UsedBy } from "../../parts/records/used-by.js";
import { useScope } from "../../session/use-session.js";
import { idpRecord } from "../../texts/en/idp-record.js";
import { idps } from "../../texts/en/idps.js";
import { pages } from "../../texts/en/pages.js";
import { NEW_IDP, toBody, toDraft, TYPE_WORDS, type Draft } from "./draft.js";
import { Certificate } from "./certificate.js";
import { FetchedMetadata } from "./fetched-metadata.js";
import { ForOthers } from "./for-others.js";
import { IdpFields } from "./idp-fields.js";
import { Metadata } from "./metadata.js";
import { ReplaceBy } from "./replace-by.js";
import { leadsTo } from "./replacement.js";
import { requests, type Body } from "./requests.js";
import { IdpStart } from "./start.js";

export const IDPS: RecordKind<Idp, Draft, Body> = {
  get title() {
    return pages.idps;
  },
  term: "idps",
  get about() {
    return idps.about;
  },
  texts: idpRecord,
  path: "/api/v1/idps",
  page: "/idps",
  key: "idps",
  scope: "idps",
  get empty() {
    return idps.empty;
  },
  requests,
  newDraft: NEW_IDP,
  toDraft,
  toBody,
  get labels() {
    const { name, type, protocolType, url, binding, issuer, audience, certificate, clientId, metadataUrl, isOn } = idps;
    return { name, type, protocolType, url, binding, issuer, audience, certificate, clientId, metadataUrl, isOn };
  },
  Fields: IdpFields,
  Start: IdpStart,
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

function uses({ id }: Idp, rule: Rule): boolean {
  return leadsTo(rule, id);
}

function IdpDetails({ record }: Readonly<{ record: Idp }>) {
  const note = (rules: readonly Rule[]) =>
    rules.some(({ actions: { idp } }) => idp.idpSelectionType === "DYNAMIC") ? idps.mayLead : undefined;
  return (
    <>
      <Certificate idp={record} />
      <FetchedMetadata idp={record} />
      <Metadata idp={record} />
      <ForOthers idp={record} />
      <UsedBy uses={(rule) => uses(record, rule)} note={note} />
      <ReplaceBy idp={record} />
    </>
  );
}
