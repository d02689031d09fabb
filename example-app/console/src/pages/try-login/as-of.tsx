import { Alert } from "@mantine/core";
import type { Trace } from "../../api/types.js";
import { When } from "../../parts/when.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

/** Which facts of a trace are of the past, and which are of today. */
export function AsOf({ trace: { asOf, ofToday = [] } }: Readonly<{ trace: Trace }>) {
  if (!asOf) return null;
  const revision = String(asOf.revision);
  return (
    <Alert color="blue" variant="light" p="sm">
      {asOf.published === null
        ? texts.asOf({ revision })
        : texts.asOfWhen({ revision, when: <When key="when" date={asOf.published} /> })}{" "}
      {ofToday.length > 0 && texts.ofToday({ facts: ofToday.map(nameOf).join(texts.comma) })}
    </Alert>
  );
}

/** What the server calls the facts of users, in the person's language. */
function nameOf(fact: string): string {
  return fact === "user attributes" ? texts.userAttributes : fact;
}
