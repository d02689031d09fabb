import { Button, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Problem } from "../../parts/problem.js";
import type { useRuleWrite } from "./use-rules.js";

interface RuleProblemProps {
  writing: Pick<ReturnType<typeof useRuleWrite>, "error" | "anyway" | "isPending">;
  title?: string;
}

/** Why a rule was not written, with a button for what may be written nevertheless. It comes into view. */
export function RuleProblem({ writing: { error, anyway, isPending }, title }: Readonly<RuleProblemProps>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!error) return null;
  return (
    <Stack ref={place} gap="xs" align="flex-start">
      <Problem error={error} {...(title !== undefined && { title })} />
      {anyway && (
        <Button color="red" variant="light" size="xs" loading={isPending} onClick={anyway}>
          Save anyway
        </Button>
      )}
    </Stack>
  );
}
