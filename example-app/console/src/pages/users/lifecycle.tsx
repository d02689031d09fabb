import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { pathOf, send } from "../../api/http.js";
import type { User } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { Problem } from "../../parts/problem.js";
import { useForgottenFocus } from "../../parts/use-returned-focus.js";
import { deleteUser } from "./requests.js";
import { nameOf, useUserWrite } from "./use-users.js";

interface LifecycleProps {
  user: User;
  etag: string | undefined;
  onChanged: () => void;
  onDeleted: () => void;
}

interface Step {
  readonly relation: string;
  /** To send a POST to; absent to delete the user. */
  readonly path?: string;
}

const DELETE = "delete";

const LABELS: Readonly<Record<string, string>> = {
  expirePassword: "Expire password",
  confirmPassword: "Confirm password",
};

/** A button for each operation that the links of the user allow. */
export function Lifecycle({ user, etag, onChanged, onDeleted }: Readonly<LifecycleProps>) {
  const [asked, setAsked] = useState<Step>();
  const operate = useUserWrite(async (step: Step) => {
    if (step.path === undefined) await deleteUser(user.id, etag);
    else await send(step.path, { method: "POST", body: {} });
    return { text: `${labelOf(step)}: ${nameOf(user)}` };
  });
  const forgetFocus = useForgottenFocus();
  const run = (step: Step) => {
    operate.mutate(step, {
      onSuccess() {
        if (step.relation !== DELETE) return;
        forgetFocus();
        onDeleted();
      },
      onSettled() {
        setAsked(undefined);
        if (step.relation !== DELETE) onChanged();
      },
    });
  };

  return (
    <>
      {operate.error && <Problem error={operate.error} title="The status was not changed" />}
      {asked ? (
        <Confirm
          title={`${labelOf(asked)} ${nameOf(user)}?`}
          action={labelOf(asked)}
          isPending={operate.isPending}
          onConfirm={() => {
            run(asked);
          }}
          onCancel={() => {
            setAsked(undefined);
          }}
        >
          {questionOf(asked, user)}
        </Confirm>
      ) : (
        <Group gap="xs" role="group" aria-label="What can be done with the user">
          {stepsOf(user).map((step) => (
            <Button
              key={step.relation}
              size="xs"
              variant="default"
              c={isFinal(step) ? "var(--mantine-color-error)" : undefined}
              loading={operate.isPending && operate.variables.relation === step.relation}
              onClick={() => {
                if (isFinal(step)) setAsked(step);
                else run(step);
              }}
            >
              {labelOf(step)}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}

/** What the links allow, and last what can't be undone. Nobody can be deleted who is not deactivated. */
function stepsOf({ status, _links: links }: User): Step[] {
  const steps = Object.entries(links).flatMap(([relation, { href, method }]): Step[] =>
    method?.toUpperCase() === "POST" ? [{ relation, path: pathOf(href) }] : [],
  );
  if (status !== "DEPROVISIONED") return [...steps.filter((step) => !isFinal(step)), ...steps.filter(isFinal)];
  return [...steps, { relation: DELETE }];
}

/** Whether it can't be undone: a user who is activated again is ACTIVE, whatever the status was. */
function isFinal({ relation }: Step): boolean {
  return relation === DELETE || relation === "deactivate";
}

function questionOf({ relation }: Step, { status }: User): string {
  if (relation === DELETE) return "This can't be undone. The events of the user stay in the System Log.";
  const later = status === "ACTIVE" ? "" : ` The status ${status} is lost: who is activated again is ACTIVE.`;
  return `The list leaves the user out, except with a filter on the status DEPROVISIONED.${later}`;
}

function labelOf({ relation }: Step): string {
  return LABELS[relation] ?? relation.charAt(0).toUpperCase() + relation.slice(1);
}
