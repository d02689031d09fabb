import { Button, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ApiProblem } from "../api/http.js";
import { labels } from "../texts/en/labels.js";
import { parts } from "../texts/en/parts.js";
import { splitCauses } from "./faults.js";
import { Problem } from "./problem.js";
import type { useAllowedWrite } from "./use-allowed-write.js";
import { forms } from "../texts/en/forms.js";

interface RefusalProps {
  writing: Pick<ReturnType<typeof useAllowedWrite>, "error" | "isPending"> & { anyway?: (() => void) | undefined };
  title?: string;
  /** @default "Save anyway" */
  action?: string;
  /** Whether the fields of a form have what is wrong with them. */
  isAtFields?: boolean;
}

/** Why something was not written, with a button for what may be written nevertheless. It comes into view with the focus. */
export function Refusal({ writing, title, action = forms.saveAnyway, isAtFields = false }: Readonly<RefusalProps>) {
  const { error, anyway, isPending } = writing;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus();
  }, [error]);
  if (!error) return null;
  const known = anyway && error instanceof ApiProblem ? withoutHint(error) : error;
  const shown = isAtFields && known instanceof ApiProblem ? withoutFields(known) : { error: known };
  return (
    <Stack ref={place} tabIndex={-1} gap="xs" align="flex-start" className="refusal">
      <Problem {...shown} {...(title !== undefined && { title })} />
      {anyway && (
        <Button
          color="red"
          variant="light"
          size="xs"
          loading={isPending}
          onClick={() => {
            anyway();
          }}
        >
          {action}
        </Button>
      )}
    </Stack>
  );
}

/** A button stands for the parameter that the server names. */
function withoutHint({ status, code, id, message: summary, causes }: ApiProblem): ApiProblem {
  const others = causes.filter((cause) => !cause.startsWith("To make the change nevertheless"));
  return new ApiProblem({ status, code, id, summary, causes: others });
}

/** The fields have their own causes: what is left, or else which fields. */
function withoutFields({ status, code, id, message: summary, causes }: ApiProblem) {
  const { fields, others } = splitCauses(causes);
  const error = new ApiProblem({ status, code, id, summary, causes: others });
  const isOnlyFields = fields.length > 0 && others.length === 0;
  return isOnlyFields ? { error, summary: labels.see({ fields: fields.join(parts.comma) }) } : { error };
}
