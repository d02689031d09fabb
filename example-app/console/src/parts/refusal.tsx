import { Button, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ApiProblem } from "../api/http.js";
import { Problem } from "./problem.js";
import type { useAllowedWrite } from "./use-allowed-write.js";

interface RefusalProps {
  writing: Pick<ReturnType<typeof useAllowedWrite>, "error" | "isPending"> &
    Partial<Pick<ReturnType<typeof useAllowedWrite>, "anyway">>;
  title?: string;
  /** @default "Save anyway" */
  action?: string;
  /** Whether the fields of a form have what is wrong with them. */
  isAtFields?: boolean;
}

/** Why something was not written, with a button for what may be written nevertheless. It comes into view with the focus. */
export function Refusal({ writing, title, action = "Save anyway", isAtFields = false }: Readonly<RefusalProps>) {
  const { error, anyway, isPending } = writing;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus();
  }, [error]);
  if (!error) return null;
  const shown = anyway && error instanceof ApiProblem ? withoutHint(error) : error;
  return (
    <Stack ref={place} tabIndex={-1} gap="xs" align="flex-start" className="refusal">
      <Problem error={shown} isAtFields={isAtFields} {...(title !== undefined && { title })} />
      {anyway && (
        <Button color="red" variant="light" size="xs" loading={isPending} onClick={anyway}>
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
