import { Button, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ApiProblem } from "../api/http.js";
import { Problem } from "./problem.js";
import type { useAllowedWrite } from "./use-allowed-write.js";

interface RefusalProps {
  writing: Pick<ReturnType<typeof useAllowedWrite>, "error" | "anyway" | "isPending">;
  title?: string;
  /** @default "Save anyway" */
  action?: string;
}

/** Why something was not written, with a button for what may be written nevertheless. It comes into view. */
export function Refusal({
  writing: { error, anyway, isPending },
  title,
  action = "Save anyway",
}: Readonly<RefusalProps>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!error) return null;
  const shown = anyway && error instanceof ApiProblem ? withoutHint(error) : error;
  return (
    <Stack ref={place} gap="xs" align="flex-start">
      <Problem error={shown} {...(title !== undefined && { title })} />
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
