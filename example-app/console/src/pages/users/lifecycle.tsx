import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { pathOf, send } from "../../api/http.js";
import type { User } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { Help } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { useForgottenFocus } from "../../parts/use-returned-focus.js";
import { userActions } from "../../texts/en/user-actions.js";
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

/** The relations that have a text. */
const KNOWN = [
  "activate",
  "reactivate",
  "deactivate",
  "suspend",
  "unsuspend",
  "unlock",
  "expirePassword",
  "confirmPassword",
  DELETE,
] as const;

/** A button for each operation that the links of the user allow. */
export function Lifecycle({ user, etag, onChanged, onDeleted }: Readonly<LifecycleProps>) {
  const [asked, setAsked] = useState<Step>();
  const [left, setLeft] = useState<string>(); // the relation of the question that was not answered
  const operate = useUserWrite(async (step: Step) => {
    if (step.path === undefined) await deleteUser(user.id, etag);
    else await send(step.path, { method: "POST", body: {} });
    return { text: userActions.done({ label: labelOf(step), name: nameOf(user) }) };
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
      {operate.error && <Problem error={operate.error} title={userActions.failed} />}
      {asked ? (
        <Confirm
          title={titleOf(asked, user)}
          action={labelOf(asked)}
          isPending={operate.isPending}
          onConfirm={() => {
            run(asked);
          }}
          onCancel={() => {
            setLeft(asked.relation);
            setAsked(undefined);
          }}
        >
          {questionOf(asked, user)}
        </Confirm>
      ) : (
        <div className="helped">
          <Group gap="xs" role="group" aria-label={userActions.title}>
            {stepsOf(user).map((step) => (
              <Button
                key={step.relation}
                autoFocus={step.relation === left}
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
          <Help term="lifecycle" name={userActions.title} />
        </div>
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

function titleOf({ relation }: Step, user: User): string {
  return (relation === DELETE ? userActions.askDelete : userActions.askDeactivate)({ name: nameOf(user) });
}

function questionOf({ relation }: Step, { status }: User): string {
  if (relation === DELETE) return userActions.aboutDelete;
  return status === "ACTIVE" ? userActions.aboutDeactivate : userActions.aboutLostStatus({ status });
}

function labelOf({ relation }: Step): string {
  const known = KNOWN.find((one) => one === relation);
  return known ? userActions[known] : relation.charAt(0).toUpperCase() + relation.slice(1);
}
