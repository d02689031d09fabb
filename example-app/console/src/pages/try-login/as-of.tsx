import { Alert } from "@mantine/core";
import type { Trace } from "../../api/types.js";
import { When } from "../../parts/when.js";

/** Which facts of a trace are of the past, and which are of today. */
export function AsOf({ trace: { asOf, ofToday = [] } }: Readonly<{ trace: Trace }>) {
  if (!asOf) return null;
  return (
    <Alert color="blue" variant="light" p="sm">
      Rules, zones and providers are those of revision {asOf.revision}
      {asOf.published !== null && (
        <>
          , of <When date={asOf.published} />
        </>
      )}
      . {ofToday.length > 0 && `Of today: ${ofToday.join(", ")}.`}
    </Alert>
  );
}
