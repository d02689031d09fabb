import { Anchor, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { LogEvent } from "../../api/types.js";
import { ServerText } from "../../parts/server-text.js";
import { visible } from "../../parts/visible.js";
import { changedFields } from "./changed-fields.js";
import type { Part, Place } from "./describe-event.js";
import { logRow as texts } from "../../texts/en/log-row.js";

/** How many fields are shown; the others are counted. */
const SHOWN_FIELDS = 3;

/** What an event says, with links to what it names. */
export function Sentence({ event, parts }: Readonly<{ event: LogEvent; parts: readonly Part[] | undefined }>) {
  return (
    <Text size="sm" className="foreign">
      {parts ? parts.map((part, index) => <Named key={index} part={part} />) : <Unknown event={event} />}
    </Text>
  );
}

function Named({ part }: Readonly<{ part: Part }>) {
  if (typeof part === "string") return part;
  if ("said" in part) return <ServerText text={part.said} />;
  const { name, place } = part;
  if (!place)
    return (
      <Text span inherit fw={600}>
        {name}
      </Text>
    );
  return (
    <Anchor
      inherit
      fw={600}
      c="bright"
      underline="always"
      renderRoot={(props: object) => <Link {...linkOf(place)} {...props} />}
    >
      {name}
    </Anchor>
  );
}

function linkOf({ to, id }: Place) {
  return { to, params: to === "/users/$userId" ? { userId: id } : { id } };
}

/** An event of a type that this page doesn't know. */
function Unknown({ event }: Readonly<{ event: LogEvent }>) {
  const { displayMessage, target, debugContext } = event;
  return (
    <>
      <Text span inherit fw={600}>
        {displayMessage}
      </Text>{" "}
      {target?.map(({ displayName }) => visible(displayName)).join(", ") ?? debugContext.debugData.url}
    </>
  );
}

/** `name: Partners → Partner companies` */
export function ChangedFields({ event }: Readonly<{ event: LogEvent }>) {
  const fields = changedFields(event);
  const more = fields.length - SHOWN_FIELDS;
  if (fields.length === 0) return null;
  const shown = fields.slice(0, SHOWN_FIELDS).map(({ name, before, after }, index) => (
    <span key={name}>
      {index > 0 && texts.comma}
      {name} {before}
      <span aria-hidden="true"> → </span>
      <VisuallyHidden>{texts.became}</VisuallyHidden>
      {after}
    </span>
  ));
  return (
    <Text size="xs" className="foreign">
      {more > 0 ? texts.fieldsAndMore({ fields: shown, n: more }) : shown}
    </Text>
  );
}
